# aim: use more memory than the limit by writing out a small value
# mechanism: the repr of a list that holds the same list twice, at sixteen levels
# language: nothing (the rules do not count memory)
# jail: rlimits, cgroup
# plain: succeeds
# expect: error MemoryError | fault memory | fault timeout | held
# hosts: root

def write():
    value = ["x" * 2000]
    for _ in range(16):
        value = [value, value]
    return f"{len(repr(value)) >> 20} MB"

judge(write)
