# aim: have the log grow without end
# mechanism: thousands of calls of a tool in one cell
# language: nothing (any program may call a tool)
# jail: host
# plain: none (a plain process has no log)
# expect: held | fault timeout
# host: audit
# limits: cell_seconds=5
# hosts: root
for number in range(1500):
    add(number, 1)
"held: they were made"
