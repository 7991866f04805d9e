# aim: use more memory than the limit by asking for a wide field
# mechanism: a format specification with a width of 192 million
# language: nothing (the rules do not count memory)
# jail: rlimits, cgroup
# plain: succeeds
# expect: error MemoryError | fault memory | held
# hosts: root
judge(lambda: f"{len(format(1, str(192 << 20))) >> 20} MB of text")
