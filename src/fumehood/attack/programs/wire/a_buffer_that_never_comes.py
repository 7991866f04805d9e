# aim: have the host make room for a buffer of which nothing is ever sent
# mechanism: a frame that announces a long buffer
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire, clock
# plain: none (a plain process has no wire)
# expect: fault timeout | fault crash | fault killed
# limits: cell_seconds=1
header = b'{"type":"display","bundle":null}'
for number in sockets():
    os.write(number, struct.pack(">IIQ", len(header), 1, 500 << 20) + header)
while True:
    time.sleep(1)
