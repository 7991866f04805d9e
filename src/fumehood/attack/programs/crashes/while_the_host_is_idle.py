# aim: die between two cells, so that the next question meets nobody
# mechanism: os._exit from a timer
# language: check
# reason: the policy does not authorize threading
# jail: init
# plain: none (nobody asks a plain process anything)
# expect: held | fault crash | fault killed
import threading

timer = threading.Timer(0.1, lambda: os._exit(3))
timer.daemon = True  # the cell does not wait for it
timer.start()
# ---
import time

time.sleep(0.4)
"held: it goes on"
