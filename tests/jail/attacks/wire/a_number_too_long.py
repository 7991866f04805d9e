# aim: keep the host busy reading a number of millions of digits
# layer: wire
# expect: fault crash | fault killed | fault output
# plain: none (a plain process has no wire)
header = b'{"type":"display","bundle":' + b"9" * 5_000_000 + b"}"
for number in sockets():
    frame = memoryview(struct.pack(">II", len(header), 0) + header)
    while frame:
        frame = frame[os.write(number, frame):]
time.sleep(5)
"held: nobody minded"
