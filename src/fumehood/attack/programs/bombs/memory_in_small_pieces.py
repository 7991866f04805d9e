# aim: use more memory than the limit in objects too small to be refused
# mechanism: two million short strings
# language: nothing (the rules do not count memory)
# jail: rlimits, cgroup
# plain: succeeds
# expect: error MemoryError | fault memory | fault crash | fault killed
def grow():
    held = []
    for number in range(2_000_000):  # 200 MB at most
        held.append(str(number) * 6)
    return f"{len(held)} strings"

judge(grow)
