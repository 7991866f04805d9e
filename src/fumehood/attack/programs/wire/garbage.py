# aim: confuse the host with bytes that mean nothing
# mechanism: random bytes
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: fault crash | fault killed
for number in sockets():
    os.write(number, os.urandom(1 << 16))
time.sleep(5)
"held: nobody minded"
