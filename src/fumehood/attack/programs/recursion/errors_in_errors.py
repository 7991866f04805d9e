# aim: choke who shows an error on those behind it
# mechanism: an exception with a chain of fifty thousand causes, raised to the host
# language: nothing (any program may raise)
# jail: wire
# plain: none (in a plain process an error goes nowhere)
# expect: error ValueError | fault crash | error RecursionError | fault timeout
# hosts: root
error = ValueError("first")
for _ in range(50_000):
    later = ValueError("later")
    later.__cause__ = error
    error = later
raise error
