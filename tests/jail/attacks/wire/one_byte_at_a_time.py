# aim: keep the host reading for ever, a byte at a time, so that it never looks at the clock
# layer: wire, clock
# expect: fault timeout | fault crash | fault killed
# plain: none (a plain process has no wire)
# limits: cell_seconds=1
for number in sockets():
    os.write(number, struct.pack(">II", 50 << 20, 0))
ends = time.monotonic() + 25
while time.monotonic() < ends:
    for number in sockets():
        os.write(number, b" ")
    time.sleep(0.01)
