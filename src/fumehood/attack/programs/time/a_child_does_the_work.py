# aim: let a child go on when the cell is ended
# mechanism: a forked child that ignores signals
# language: check
# reason: the policy does not authorize signal
# jail: clock, init, pid namespace
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=1
# needs: mount namespace
import signal

signal.alarm(0)
if os.fork() == 0:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        for _ in range(600):
            time.sleep(0.1)
    finally:
        os._exit(0)
os.wait()
