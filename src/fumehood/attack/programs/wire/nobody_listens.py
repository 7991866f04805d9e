# aim: stop reading, so that the host waits for ever to be rid of what it sends
# mechanism: the runner stopped while the host sends
# language: check
# reason: the policy does not authorize threading
# jail: wire, clock
# plain: none (a plain process has no wire)
# expect: held
# host: send
# limits: cell_seconds=2
# hosts: root
import threading

timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), 19))
timer.daemon = True  # the cell does not wait for it
timer.start()
"held: it stops soon"
