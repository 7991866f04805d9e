# aim: fill the host's memory with names when it lists variables
# mechanism: a hundred thousand variables with long names
# language: nothing (any program may have variables; the codec bounds what crosses)
# jail: wire
# plain: none (in a plain process nobody lists them)
# expect: held | fault memory | error MemoryError
# host: state
# limits: memory_bytes=268435456
# hosts: root
for number in range(30_000):
    globals()["v" * 500 + str(number)] = number
"held: the host is still there"
