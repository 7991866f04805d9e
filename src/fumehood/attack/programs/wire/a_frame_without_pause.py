# aim: run longer than the time limit
# mechanism: bytes of one long frame without pause, so that the host always has something to read
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire, clock
# plain: none (a plain process has no wire)
# expect: fault timeout | fault crash | fault killed
# limits: cell_seconds=1
for number in sockets():
    os.write(number, struct.pack(">II", 60_000_000, 0))
ends = time.monotonic() + 25
while time.monotonic() < ends:
    for number in sockets():
        os.write(number, b" ")
