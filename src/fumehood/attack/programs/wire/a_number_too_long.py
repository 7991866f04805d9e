# aim: keep the host busy reading a number of millions of digits
# mechanism: a frame with an integer of millions of digits
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: fault crash | fault killed | fault output
header = b'{"type":"display","bundle":' + b"9" * 5_000_000 + b"}"
for number in sockets():
    frame = memoryview(struct.pack(">II", len(header), 0) + header)
    while frame:
        frame = frame[os.write(number, frame):]
time.sleep(5)
"held: nobody minded"
