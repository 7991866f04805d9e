# aim: have a tool walk in a circle
# mechanism: a list in itself as an argument
# language: nothing (any program may call a tool)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# hosts: root
round = [1]
round.append(round)
try:
    count(round)
except Exception as error:
    pass
"held: the host is still there"
