# aim: use more memory than the limit by one multiplication
# mechanism: a list times 28 million
# language: nothing (the rules do not count memory)
# jail: rlimits, cgroup
# plain: succeeds
# expect: error MemoryError | fault memory | held
# hosts: root
judge(lambda: f"{len([None] * (28 << 20)) >> 20} million items")
