# aim: have the host make room for four billion buffers
# mechanism: a frame that announces four billion buffers
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: fault crash | fault killed
for number in sockets():
    os.write(number, struct.pack(">II", 10, 0xFFFFFFFF))
time.sleep(5)
"held: nobody minded"
