# aim: overflow the C stack by the end of what is deeply nested
# mechanism: zip around zip, and then the last reference dropped
# language: nothing (nobody counts the depth of iterators)
# jail: rlimits, init
# plain: crashes
# expect: fault crash | fault memory | error MemoryError | held
# limit: the interpreter itself can be crashed
# hosts: root
deep = iter([1])
for _ in range(300_000):
    deep = zip(deep)
next(deep)
