# aim: have the host wait for the rest of a frame
# mechanism: the first half of a frame
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire, clock
# plain: none (a plain process has no wire)
# expect: fault timeout | fault crash | fault killed
# limits: cell_seconds=1
for number in sockets():
    os.write(number, struct.pack(">II", 1000, 0) + b'{"type":')
while True:
    time.sleep(1)
