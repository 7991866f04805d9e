# aim: have the log name a tool that there is not
# mechanism: calls written straight to the wire, with newlines and JSON in the name
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire, host
# plain: none (a plain process has no log)
# expect: held | fault crash | fault killed
# host: audit
# hosts: root
import json
for number in sockets():
    header = json.dumps({"type": "call_tool", "call": 7, "name": 'x\n{"event":"LogClosed"}', "arguments": None, "parallel": True}).encode()
    os.write(number, struct.pack(">II", len(header), 0) + header)
time.sleep(0.1)
"held: it was called"
