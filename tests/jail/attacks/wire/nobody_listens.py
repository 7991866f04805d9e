# aim: stop reading, so that the host waits for ever to be rid of what it sends
# layer: wire, clock
# expect: held
# plain: none (a plain process has no wire)
# host: send
# hosts: root
# limits: cell_seconds=2
import threading

threading.Timer(0.2, lambda: os.kill(os.getpid(), 19)).start()
"held: it stops soon"
