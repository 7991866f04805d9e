# aim: end pid 1 of the sandbox
# mechanism: every signal that ends or stops, to pid 1
# language: check
# reason: the policy does not authorize signal
# jail: init, pid namespace
# plain: none (pid 1 of a plain world is the test)
# expect: held
# needs: mount namespace
import signal

def strike():
    for number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGCHLD, signal.SIGSEGV):
        try:
            os.kill(1, number)
        except OSError:
            continue
    time.sleep(0.1)
    # What is told here matters less than that the sandbox goes on and ends in order.
    return None

judge(strike)
