# aim: make a file that claims to be huge, for whoever reads it to choke on
# mechanism: ftruncate to a terabyte
# language: check
# reason: the policy does not authorize signal
# jail: rlimits, lab
# plain: succeeds
# expect: held | fault crash | fault killed
# host: read sparse
# needs: mount namespace
import signal

def claim():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    descriptor = os.open("sparse", os.O_CREAT | os.O_RDWR)
    os.ftruncate(descriptor, 1 << 40)
    return "a file of a terabyte"

judge(claim)
