# aim: let a child send bytes when the runner is dead, so that the host does not notice
# mechanism: a child that writes frames after the parent's death
# language: check
# reason: it makes system calls of its own, for which the policy authorizes no ctypes
# jail: wire, init, clock
# plain: none (a plain process has no wire)
# expect: fault timeout | fault crash | fault killed
# limits: cell_seconds=1
# needs: mount namespace
for number in sockets():
    os.write(number, struct.pack(">II", 50 << 20, 0))
if os.fork() == 0:
    try:
        ends = time.monotonic() + 25
        while time.monotonic() < ends:
            for number in sockets():
                os.write(number, b" ")
            time.sleep(0.01)
    finally:
        os._exit(0)
os.kill(os.getpid(), 9)
