# aim: use more memory than the limit
# layer: rlimits, cgroup
# expect: error MemoryError | fault memory | held
# plain: succeeds
def grow():
    held = []
    for _ in range(12):  # 192 MB at most
        held.append(b"x" * (16 << 20))
    return f"{len(held) * 16} MB"

judge(grow)
