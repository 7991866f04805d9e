# aim: choke who shows an error on the errors in it
# mechanism: an exception group in an exception group, ten thousand deep
# language: nothing (any program may raise)
# jail: wire
# plain: none (in a plain process an error goes nowhere)
# expect: error ExceptionGroup | fault crash | error RecursionError | fault timeout
# hosts: root
error = ValueError("innermost")
for _ in range(10_000):
    error = ExceptionGroup("around", [error])
raise error
