# aim: interrupt the next cell, which may be somebody else's
# mechanism: signal.setitimer with a handler that raises
# language: check
# reason: the policy does not authorize signal
# jail: init
# plain: none (in a plain process there is no next cell)
# expect: held
# host: again
# hosts: root
import signal

def raises(*_):
    raise RuntimeError("from the last cell")

signal.signal(signal.SIGALRM, raises)
signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
"held: the clock is ticking"
