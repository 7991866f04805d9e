# aim: make a file that claims to be huge, for whoever reads it to choke on
# layer: rlimits, lab
# expect: held | fault crash | fault killed
# needs: mount namespace
# plain: succeeds
# host: read sparse
import signal

def claim():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    descriptor = os.open("sparse", os.O_CREAT | os.O_RDWR)
    os.ftruncate(descriptor, 1 << 40)
    return "a file of a terabyte"

judge(claim)
