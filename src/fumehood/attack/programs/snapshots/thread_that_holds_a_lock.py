# aim: have a copy of the process wait for ever for a lock that nobody holds in it
# mechanism: a thread that holds locks of the library while the snapshot is taken
# language: check
# reason: the policy does not authorize logging, threading
# jail: clock, init
# plain: none (a plain process has no snapshots)
# expect: held
# host: snapshot, fork
# hosts: root
# needs: mount namespace
import logging, threading, time

def holds():
    logging._lock.acquire()
    while True:
        time.sleep(1)

threading.Thread(target=holds, daemon=True).start()
time.sleep(0.05)
"held: a lock is held"
