# aim: overflow the stack of who saves or loads
# mechanism: lists in lists, a hundred thousand deep, as a variable
# language: nothing (any program may make such values)
# jail: wire
# plain: none (a plain process saves nothing)
# expect: held
# host: save, again
# limits: memory_bytes=268435456
# hosts: root
deep = []
for _ in range(100_000):
    deep = [deep]
"held: it is kept"
