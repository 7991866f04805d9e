# aim: pass the filter with junk in the upper half of the call's number
# mechanism: a number with bits above the 32nd set
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held | fault crash | fault killed
# programs: a unix socket, descriptor * (AF_UNIX reaches no more than the sandbox)
# arch: x86_64
def junk():
    # mov rax, 0x500000029 (junk, then 41: socket); mov edi, 1; mov esi, 1; xor edx, edx; syscall; ret
    number = run_machine_code(bytes.fromhex("48b82900000005000000 bf01000000 be01000000 31d2 0f05 c3"))
    if number < 0:
        # Some kernels look at all of the number and know no such call. Then the plain number, by the bare instruction, is the attack.
        number = run_machine_code(bytes.fromhex("b829000000 bf01000000 be01000000 31d2 0f05 c3"))
    return f"a unix socket, descriptor {number}" if number >= 0 else None

judge(junk)
