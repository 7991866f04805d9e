# aim: have the host build objects of a gigabyte from a header of forty megabytes
# mechanism: a frame whose header is millions of empty lists
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: fault crash | fault killed | fault output | fault timeout
head, tail = b'{"type":"display","bundle":[', b"0]}"
part, times = b"[]," * 10_000, 1400

def send(number, data):
    data = memoryview(data)
    while data:
        data = data[os.write(number, data):]

for number in sockets():
    send(number, struct.pack(">II", len(head) + len(part) * times + len(tail), 0) + head)
    for _ in range(times):
        send(number, part)
    send(number, tail)
time.sleep(8)
"held: nobody minded"
