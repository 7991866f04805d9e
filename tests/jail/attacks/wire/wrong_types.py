# aim: send the host an answer with values of other types than it expects
# layer: wire
# expect: fault crash | fault killed
# plain: none (a plain process has no wire)
header = b'{"type":"finished","id":"1","value":{},"error":5,"wall":"long","imports":[1,null]}'
for number in sockets():
    os.write(number, struct.pack(">II", len(header), 0) + header)
time.sleep(5)
"held: nobody minded"
