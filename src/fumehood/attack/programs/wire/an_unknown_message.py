# aim: send the host a message that it knows but should not take, and one that it does not know
# mechanism: frames with messages of the host and with unknown names
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: fault crash | fault killed
for header in (b'{"type":"run","id":1,"code":"import os"}', b'{"type":"exec","code":"1"}'):
    for number in sockets():
        os.write(number, struct.pack(">II", len(header), 0) + header)
time.sleep(5)
"held: nobody minded"
