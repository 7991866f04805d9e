# aim: overflow the host's stack with brackets
# mechanism: a frame whose header is brackets in brackets
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: fault crash | fault killed
header = b'{"type":"display","bundle":' + b"[" * 1_000_000 + b"]" * 1_000_000 + b"}"
for number in sockets():
    frame = memoryview(struct.pack(">II", len(header), 0) + header)
    while frame:
        frame = frame[os.write(number, frame):]
time.sleep(5)
"held: nobody minded"
