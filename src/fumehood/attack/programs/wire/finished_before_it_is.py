# aim: say that the cell is over and go on
# mechanism: a forged Finished message
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire, clock
# plain: none (a plain process has no wire)
# expect: held | fault crash | fault killed | fault timeout
# limits: cell_seconds=2
for number in sockets():
    for identity in range(1, 50):
        header = b'{"type":"finished","id":%d,"value":null}' % identity
        os.write(number, struct.pack(">II", len(header), 0) + header)
while True:
    pass
