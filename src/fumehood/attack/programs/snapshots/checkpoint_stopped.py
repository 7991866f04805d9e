# aim: keep the host waiting for a checkpoint, or answer in its place
# mechanism: stop every other process of the sandbox, write to every socket, and die
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire, init
# plain: none (a plain process has no checkpoint)
# expect: fault killed | fault crash
# host: again
# needs: mount namespace
me = os.getpid()
if os.fork() == 0:
    header = b'{"type":"ready","protocol":1}'
    ends = time.monotonic() + 15
    while time.monotonic() < ends:
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) not in (1, me, os.getpid()):
                try:
                    os.kill(int(name), 19)
                except OSError:
                    pass
        for number in sockets():
            try:
                os.write(number, struct.pack(">II", len(header), 0) + header)
            except OSError:
                pass
    os._exit(0)
time.sleep(0.3)
os.kill(me, 9)
