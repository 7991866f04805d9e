# aim: signal every process there is
# layer: pid namespace, seccomp, landlock
# expect: held | error ProcessLookupError | error PermissionError
# plain: succeeds
import signal

def everybody():
    # SIGURG is ignored by whoever does not wait for it; the victim does.
    signal.signal(signal.SIGURG, signal.SIG_IGN)
    os.kill(-1, signal.SIGURG)
    time.sleep(0.05)

judge(everybody)
