# aim: close the wire and go on
# mechanism: the descriptor closed
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire, init
# plain: none (a plain process has no wire)
# expect: fault crash | fault killed
for number in sockets():
    os.close(number)
while True:
    time.sleep(1)
