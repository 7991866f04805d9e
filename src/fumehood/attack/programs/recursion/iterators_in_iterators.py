# aim: overflow the C stack by reading from an iterator of iterators
# mechanism: itertools.chain around itertools.chain, a hundred thousand deep; no depth is counted there
# language: nothing (nobody counts the depth of iterators)
# jail: rlimits, init
# plain: crashes
# expect: fault crash | fault memory | error MemoryError
# limit: the interpreter itself can be crashed
# hosts: root
import itertools
deep = iter([1])
for _ in range(400_000):
    deep = itertools.chain(deep)
next(deep)
