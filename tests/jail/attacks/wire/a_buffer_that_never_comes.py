# aim: have the host make room for a buffer of which nothing is ever sent
# layer: wire, clock
# expect: fault timeout | fault crash | fault killed
# plain: none (a plain process has no wire)
# limits: cell_seconds=1
header = b'{"type":"display","bundle":null}'
for number in sockets():
    os.write(number, struct.pack(">IIQ", len(header), 1, 500 << 20) + header)
while True:
    time.sleep(1)
