# aim: overflow the host's stack with brackets
# layer: wire
# expect: fault crash | fault killed
# plain: none (a plain process has no wire)
header = b'{"type":"display","bundle":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}"
for number in sockets():
    frame = memoryview(struct.pack(">II", len(header), 0) + header)
    while frame:
        frame = frame[os.write(number, frame):]
time.sleep(5)
"held: nobody minded"
