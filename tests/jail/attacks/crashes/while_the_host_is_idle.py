# aim: die between two cells, so that the next question meets nobody
# layer: keeper
# expect: held | fault crash | fault killed
# plain: none (nobody asks a plain process anything)
import threading

threading.Timer(0.1, lambda: os._exit(3)).start()
# ---
import time

time.sleep(0.4)
"held: it goes on"
