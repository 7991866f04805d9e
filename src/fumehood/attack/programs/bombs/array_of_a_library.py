# aim: use more memory than the limit in an array that a native library allocates
# mechanism: numpy.ones
# language: nothing (the rules do not count memory)
# jail: rlimits, cgroup
# plain: succeeds
# expect: error MemoryError | error _ArrayMemoryError | fault memory | held
# imports: numpy
# limits: memory_bytes=268435456
# hosts: root
import numpy
judge(lambda: f"{numpy.ones(600 << 20, dtype='u1').size >> 20} MB")
