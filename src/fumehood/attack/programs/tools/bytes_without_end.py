# aim: fill the host's memory by an argument
# mechanism: two gigabytes of one shared text in a list
# language: nothing (any program may call a tool)
# jail: wire, rlimits
# plain: none (a plain process has no tools of a host)
# expect: held | fault memory | error MemoryError | fault frame | fault timeout
# hosts: root
try:
    count(["x" * (1 << 20) + str(number) for number in range(3)] * 700)
except Exception as error:
    pass
"held: the host is still there"
