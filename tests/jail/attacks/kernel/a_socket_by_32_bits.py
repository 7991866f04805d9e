# aim: make a socket through the 32-bit gate, whose socketcall a filter for 64 bits does not know
# layer: seccomp
# expect: fault crash | fault killed
# plain: succeeds
# arch: x86_64
def by_interrupt():
    # push rbx; mov eax, 359 (socket of 32 bits); mov ebx, 1; mov ecx, 1; xor edx, edx; int 0x80; pop rbx; ret
    number = run_machine_code(bytes.fromhex("53 b867010000 bb01000000 b901000000 31d2 cd80 5b c3"))
    return f"a unix socket, descriptor {number}" if 0 <= ctypes.c_int(number).value < 1024 else None

judge(by_interrupt)
