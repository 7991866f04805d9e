# aim: have the host wait for the rest of a frame
# layer: wire, clock
# expect: fault timeout | fault crash | fault killed
# plain: none (a plain process has no wire)
# limits: cell_seconds=1
for number in sockets():
    os.write(number, struct.pack(">II", 1000, 0) + b'{"type":')
while True:
    time.sleep(1)
