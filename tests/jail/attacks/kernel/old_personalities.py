# aim: switch off address randomisation and make all memory executable
# layer: seccomp
# expect: held
# plain: succeeds
def switch():
    result = syscall("personality", 0x0040000 | 0x0400000)
    return f"another personality, after {result:#x}"

judge(switch)
