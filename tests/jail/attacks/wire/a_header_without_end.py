# aim: have the host make room for four gigabytes of header
# layer: wire
# expect: fault crash | fault killed
# plain: none (a plain process has no wire)
for number in sockets():
    os.write(number, struct.pack(">II", 0xFFFFFFFF, 0))
time.sleep(5)
"held: nobody minded"
