# aim: have the host make room for four gigabytes of header
# mechanism: a frame that announces a header of four gigabytes
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: fault crash | fault killed
for number in sockets():
    os.write(number, struct.pack(">II", 0xFFFFFFFF, 0))
time.sleep(5)
"held: nobody minded"
