# aim: call functions of the host that are no tools
# mechanism: tool calls that name functions of the host's libraries
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: held | fault crash | fault killed
for call, name in enumerate(("os.system", "__import__", "eval", "exit", "__class__", "run", "close", "")):
    header = b'{"type":"call_tool","call":%d,"name":"%s","arguments":[["id"],{}]}' % (call + 1000, name.encode())
    for number in sockets():
        os.write(number, struct.pack(">II", len(header), 0) + header)
time.sleep(0.3)
"held: nobody minded"
