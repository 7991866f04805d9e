# aim: fill the host's descriptor table while it copies the sandbox
# mechanism: a child stops the runner and sends one descriptor with every byte of an endless frame
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, wire
# plain: none (a plain process has no wire)
# expect: held
# host: fork, snapshot
# needs: mount namespace
if os.fork() == 0:
    import array, socket
    time.sleep(0.3)
    os.kill(os.getppid(), 19)
    ends = time.monotonic() + 15
    reads, writes = os.pipe()
    lines = [socket.socket(fileno=number) for number in sockets()]
    for line in lines:
        line.setblocking(False)
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [reads]))]
    head = struct.pack(">II", 60_000_000, 0)
    while time.monotonic() < ends:
        for line in lines:
            try:
                line.sendmsg([head or b"a"], rights)
            except OSError:
                time.sleep(0.0005)
        head = b""
    os._exit(0)
"held: a child sends descriptors"
