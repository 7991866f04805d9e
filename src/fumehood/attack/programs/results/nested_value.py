# aim: return a value that is nested deeper than the interpreter can print
# mechanism: a list in a list, a hundred thousand times
# language: run
# reason: a value is shown to a bounded depth
# jail: wire
# plain: none (whether the host survives is what is tested)

value = []
for _ in range(100_000):
    value = [value]
