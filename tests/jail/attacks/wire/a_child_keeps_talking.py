# aim: let a child send bytes when the runner is dead, so that the host does not notice
# layer: wire, keeper, clock
# expect: fault timeout | fault crash | fault killed
# needs: mount namespace
# plain: none (a plain process has no wire)
# limits: cell_seconds=1
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
