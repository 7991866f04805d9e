# aim: fill the host's memory with the names of tools that it notes for every call
# mechanism: tool calls with long names
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: held | fault crash | fault killed | fault output | fault timeout
# limits: cell_seconds=4
import json
import select
import socket

from fumehood.wire.values import Encoder

node, _buffers = Encoder().encode(((), {}))

def call(number):
    body = {"type": "call_tool", "call": number, "name": "x" * (4 << 20), "arguments": node, "parallel": True}
    header = json.dumps(body).encode()
    return struct.pack(">II", len(header), 0) + header

for number in sockets():
    with socket.socket(fileno=os.dup(number)) as wire:
        for turn in range(100):  # 400 MB
            wire.sendall(call(10_000 + turn))
            # Its answer must be read, or nobody could send any more.
            while select.select([wire], [], [], 0.05)[0] and wire.recv(1 << 16):
                pass
"held: nobody minded"
