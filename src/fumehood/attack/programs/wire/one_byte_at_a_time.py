# aim: keep the host reading for ever, a byte at a time, so that it never looks at the clock
# mechanism: a frame sent byte by byte
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire, clock
# plain: none (a plain process has no wire)
# expect: fault timeout | fault crash | fault killed
# limits: cell_seconds=1
for number in sockets():
    os.write(number, struct.pack(">II", 50 << 20, 0))
ends = time.monotonic() + 25
while time.monotonic() < ends:
    for number in sockets():
        os.write(number, b" ")
    time.sleep(0.01)
