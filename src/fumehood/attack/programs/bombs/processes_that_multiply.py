# aim: let every process start processes, as the classic bomb does
# mechanism: every child forks in its turn
# source: the fork bomb of every shell
# language: view
# reason: the os that code is given holds nothing that reaches the machine
# jail: rlimits, pid namespace
# plain: succeeds
# expect: held | fault killed | fault timeout
# limits: cell_seconds=4
# needs: mount namespace
def burst():
    readable, writable = os.pipe()
    ends = time.monotonic() + 1.5
    # Every generation doubles; eight are 256 processes, and each ends itself in time.
    for _ in range(8):
        try:
            os.fork()
        except OSError:
            break
    os.write(writable, b"+")
    if os.getpid() != origin:
        time.sleep(max(0.0, ends - time.monotonic()))
        os._exit(0)
    os.set_blocking(readable, False)
    time.sleep(1.0)
    count = 0
    try:
        while True:
            count += len(os.read(readable, 4096))
    except BlockingIOError:
        pass
    return f"{count} processes" if count > 200 else None

origin = os.getpid()
judge(burst)
