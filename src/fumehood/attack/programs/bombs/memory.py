# aim: use more memory than the limit
# mechanism: bytes objects of 16 MB, kept in a list
# language: nothing (the rules do not count memory)
# jail: rlimits, cgroup
# plain: succeeds
# expect: error MemoryError | fault memory | held
def grow():
    held = []
    for _ in range(12):  # 192 MB at most
        held.append(b"x" * (16 << 20))
    return f"{len(held) * 16} MB"

judge(grow)
