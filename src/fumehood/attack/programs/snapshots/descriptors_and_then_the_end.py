# aim: leave descriptors open in the host for good
# mechanism: a child stops the runner, sends descriptors in the middle of a frame, and ends the wire
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: seccomp, wire
# plain: none (a plain process has no wire)
# expect: held
# host: fork, close
# needs: mount namespace
if os.fork() == 0:
    import array, socket
    time.sleep(0.3)
    os.kill(os.getppid(), 19)
    reads, writes = os.pipe()
    lines = [socket.socket(fileno=number) for number in sockets()]
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [reads]))]
    for line in lines:
        line.setblocking(False)
        for sent in range(300):
            try:
                line.sendmsg([struct.pack(">II", 60_000_000, 0) if not sent else b"a"], rights)
            except OSError:
                time.sleep(0.0005)
    time.sleep(0.2)
    for line in lines:
        line.shutdown(socket.SHUT_WR)
    time.sleep(15)
    os._exit(0)
"held: a child sends descriptors and ends the wire"
