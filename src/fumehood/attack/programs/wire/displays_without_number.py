# aim: fill the host's memory with pictures, each of which it would take
# mechanism: display messages with large pictures
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: held | fault crash | fault killed | fault output | fault timeout | fault memory
# limits: cell_seconds=6
from fumehood.wire.messages import Display
from fumehood.wire.protocol import plain_header
from fumehood.wire.frames import encode_frame
from fumehood.wire.values import Encoder

node, buffers = Encoder().encode({"image/png": bytes(8 << 20)})
pieces = [bytes(piece) for piece in encode_frame(plain_header(Display(bundle=node)), buffers)]
for number in sockets():
    for _ in range(80):  # 640 MB
        for piece in pieces:
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(number, rest):]
"held: nobody minded"
