# aim: keep the host busy for good while it copies the sandbox
# mechanism: a child stops the runner and calls tools without pause, though no cell runs
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire
# plain: none (a plain process has no wire)
# expect: held
# host: snapshot, fork, close
# needs: mount namespace
for _ in range(100):
    try:
        child = os.fork()
        break
    except BlockingIOError:  # on a busy machine, processes that have ended may still be counted
        time.sleep(0.05)
if child == 0:
    time.sleep(0.3)
    os.kill(os.getppid(), 19)
    header = b'{"type":"call_tool","call":1,"name":"x","arguments":null}'
    frames = (struct.pack(">II", len(header), 0) + header) * 500
    ends = time.monotonic() + 15
    while time.monotonic() < ends:
        for number in sockets():
            try:
                os.write(number, frames)
            except OSError:
                time.sleep(0.0005)
    os._exit(0)
"held: a child calls tools"
