# aim: wait for a lock that nobody releases
# layer: clock
# expect: fault timeout
# plain: hangs
# limits: cell_seconds=1
import threading

lock = threading.Lock()
lock.acquire()
lock.acquire()
