# aim: crash when the interpreter or its threads end
# mechanism: a thread and a finalizer that kill the process when it ends
# language: check
# reason: the policy does not authorize atexit, threading
# jail: init
# plain: none (nothing is at stake in a plain process)
# expect: held | fault timeout
import atexit
import threading

atexit.register(lambda: os.kill(os.getpid(), 11))
atexit.register(lambda: time.sleep(60))
threading.Thread(target=time.sleep, args=(60,)).start()
"held: it will be closed now"
