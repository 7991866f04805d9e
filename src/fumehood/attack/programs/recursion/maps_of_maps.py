# aim: overflow the C stack by asking a map of maps for its first item
# mechanism: map around map, half a million deep
# language: nothing (nobody counts the depth of iterators)
# jail: rlimits, init
# plain: crashes
# expect: fault crash | fault memory | error MemoryError
# limit: the interpreter itself can be crashed
# hosts: root
deep = iter([1])
for _ in range(400_000):
    deep = map(abs, deep)
next(deep)
