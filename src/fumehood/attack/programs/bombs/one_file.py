# aim: write one file that is longer than a file may be
# mechanism: writes to one file with SIGXFSZ ignored
# language: check
# reason: the policy does not authorize signal
# jail: rlimits, lab
# plain: succeeds
# expect: held | fault crash | fault killed
# needs: mount namespace
import signal

def fill():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    total = 0
    with open("long", "wb", buffering=0) as file:
        for _ in range(24):
            total += file.write(b"x" * (1 << 20))
    return f"{total >> 20} MB in one file"

judge(fill)
