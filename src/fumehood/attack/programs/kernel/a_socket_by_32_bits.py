# aim: make a socket through the 32-bit gate, whose socketcall a filter for 64 bits does not know
# mechanism: int 0x80 from machine code, socketcall
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: fault crash | fault killed
# arch: x86_64
def by_interrupt():
    # push rbx; mov eax, 359 (socket of 32 bits); mov ebx, 1; mov ecx, 1; xor edx, edx; int 0x80; pop rbx; ret
    number = run_machine_code(bytes.fromhex("53 b867010000 bb01000000 b901000000 31d2 cd80 5b c3"))
    return f"a unix socket, descriptor {number}" if 0 <= ctypes.c_int(number).value < 1024 else None

judge(by_interrupt)
