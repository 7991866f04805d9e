# aim: answer questions that the host has not asked yet, so that later answers are taken for others
# mechanism: answers with every number, sent in advance
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: held | fault crash | fault killed
for number in sockets():
    for identity in range(1, 200):
        header = b'{"type":"done","id":%d,"value":null}' % identity
        os.write(number, struct.pack(">II", len(header), 0) + header)
time.sleep(0.2)
"held: nobody minded"
