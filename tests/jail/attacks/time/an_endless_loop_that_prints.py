# aim: print without end, so that the host is always busy reading and never looks at the clock
# layer: clock, wire
# expect: fault timeout | fault output
# plain: hangs
# limits: cell_seconds=1
ends = time.monotonic() + 25
while time.monotonic() < ends:
    print("x" * 100)
