# aim: crash when the interpreter or its threads end
# layer: keeper
# expect: held
# plain: none (nothing is at stake in a plain process)
import atexit
import threading

atexit.register(lambda: os.kill(os.getpid(), 11))
atexit.register(lambda: time.sleep(60))
threading.Thread(target=time.sleep, args=(60,)).start()
"held: it will be closed now"
