# aim: have the next cell wait for ever
# mechanism: the lock of the import system taken in a thread
# language: check
# reason: the policy does not authorize _imp, threading
# jail: clock, init
# plain: none (in a plain process there is no next cell)
# expect: held | fault timeout
# host: again
# limits: cell_seconds=1
# hosts: root
import _imp, threading

def holds():
    _imp.acquire_lock()
    threading.Event().wait()

threading.Thread(target=holds, daemon=True).start()
"held: the lock is taken"
