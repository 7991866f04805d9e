# aim: wait for a lock that nobody releases
# mechanism: a lock taken twice
# language: check
# reason: the policy does not authorize threading
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=1
import threading

lock = threading.Lock()
lock.acquire()
lock.acquire()
