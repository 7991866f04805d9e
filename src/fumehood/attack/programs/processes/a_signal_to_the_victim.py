# aim: end a process of the host
# mechanism: kill of its number
# language: check
# reason: the policy does not authorize signal
# jail: pid namespace, seccomp, landlock
# plain: succeeds
# expect: held
import signal

def strike():
    os.kill(victim_pid, signal.SIGTERM)
    return "a signal was sent"

judge(strike)
