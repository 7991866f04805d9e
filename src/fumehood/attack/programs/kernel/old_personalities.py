# aim: switch off address randomisation and make all memory executable
# mechanism: personality
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp
# plain: succeeds
# expect: held
def switch():
    result = syscall("personality", 0x0040000 | 0x0400000)
    return f"another personality, after {result:#x}"

judge(switch)
