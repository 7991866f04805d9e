# aim: send the host an answer with values of other types than it expects
# mechanism: frames whose fields are of other types
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: fault crash | fault killed
header = b'{"type":"finished","id":"1","value":{},"error":5,"wall":"long","imports":[1,null]}'
for number in sockets():
    os.write(number, struct.pack(">II", len(header), 0) + header)
time.sleep(5)
"held: nobody minded"
