# aim: make system calls through the 32-bit gate, where the numbers mean other calls
# mechanism: int 0x80 from machine code
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: fault crash | fault killed
# arch: x86_64
def by_interrupt():
    # push rbx; mov eax, 20 (getpid of 32 bits); int 0x80; pop rbx; ret
    number = run_machine_code(bytes.fromhex("53 b814000000 cd80 5b c3"))
    return f"getpid by the 32-bit gate: {number}" if number == os.getpid() else None

judge(by_interrupt)
