# aim: have the host make room for four billion buffers
# layer: wire
# expect: fault crash | fault killed
# plain: none (a plain process has no wire)
for number in sockets():
    os.write(number, struct.pack(">II", 10, 0xFFFFFFFF))
time.sleep(5)
"held: nobody minded"
