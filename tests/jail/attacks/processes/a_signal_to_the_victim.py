# aim: end a process of the host
# layer: pid namespace, seccomp, landlock
# expect: held
# plain: succeeds
import signal

def strike():
    os.kill(victim_pid, signal.SIGTERM)
    return "a signal was sent"

judge(strike)
