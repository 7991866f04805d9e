# aim: close the wire and go on
# layer: wire, keeper
# expect: fault crash | fault killed
# plain: none (a plain process has no wire)
for number in sockets():
    os.close(number)
while True:
    time.sleep(1)
