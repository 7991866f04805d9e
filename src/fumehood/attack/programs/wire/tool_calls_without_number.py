# aim: start a thread of the host for each of a hundred thousand calls
# mechanism: a hundred thousand tool calls in one write
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: held | fault crash | fault killed
for number in sockets():
    for call in range(100_000):
        header = b'{"type":"call_tool","call":%d,"name":"none","arguments":null,"parallel":true}' % call
        os.write(number, struct.pack(">II", len(header), 0) + header)
"held: nobody minded"
