# aim: answer questions that the host has not asked yet, so that later answers are taken for others
# layer: wire
# expect: held | fault crash | fault killed
# plain: none (a plain process has no wire)
for number in sockets():
    for identity in range(1, 200):
        header = b'{"type":"done","id":%d,"value":null}' % identity
        os.write(number, struct.pack(">II", len(header), 0) + header)
time.sleep(0.2)
"held: nobody minded"
