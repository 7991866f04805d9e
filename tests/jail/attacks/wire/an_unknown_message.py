# aim: send the host a message that it knows but should not take, and one that it does not know
# layer: wire
# expect: fault crash | fault killed
# plain: none (a plain process has no wire)
for header in (b'{"type":"run","id":1,"code":"import os"}', b'{"type":"exec","code":"1"}'):
    for number in sockets():
        os.write(number, struct.pack(">II", len(header), 0) + header)
time.sleep(5)
"held: nobody minded"
