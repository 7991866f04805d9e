# Return a value that is nested deeper than the interpreter can print.
# mechanism: a list in a list, a hundred thousand times
# stopped by: run
# reason: a value is shown to a bounded depth
# control: none (whether the host survives is what is tested)

value = []
for _ in range(100_000):
    value = [value]
