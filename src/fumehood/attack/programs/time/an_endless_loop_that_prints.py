# aim: print without end, so that the host is always busy reading and never looks at the clock
# mechanism: print in an endless loop
# language: nothing (any program may print; the host's clock ends it)
# jail: clock, wire
# plain: hangs
# expect: fault timeout | fault output
# limits: cell_seconds=1
ends = time.monotonic() + 25
while time.monotonic() < ends:
    print("x" * 100)
