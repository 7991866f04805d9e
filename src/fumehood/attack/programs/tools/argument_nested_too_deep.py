# aim: overflow the host's stack with an argument
# mechanism: a hundred thousand lists in lists
# language: nothing (any program may call a tool)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held | fault crash | error RecursionError | error ValueError
# hosts: root
deep = []
for _ in range(100_000):
    deep = [deep]
try:
    count(deep)
except Exception as error:
    pass
"held: the host is still there"
