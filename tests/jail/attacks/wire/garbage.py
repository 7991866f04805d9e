# aim: confuse the host with bytes that mean nothing
# layer: wire
# expect: fault crash | fault killed
# plain: none (a plain process has no wire)
for number in sockets():
    os.write(number, os.urandom(1 << 16))
time.sleep(5)
"held: nobody minded"
