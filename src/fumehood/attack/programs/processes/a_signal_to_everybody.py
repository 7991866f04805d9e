# aim: signal every process there is
# mechanism: kill(-1)
# language: check
# reason: the policy does not authorize signal
# jail: pid namespace, seccomp, landlock
# plain: succeeds
# expect: held | error ProcessLookupError | error PermissionError
import signal

def everybody():
    # SIGURG is ignored by whoever does not wait for it; the victim does.
    signal.signal(signal.SIGURG, signal.SIG_IGN)
    os.kill(-1, signal.SIGURG)
    time.sleep(0.05)

judge(everybody)
