# aim: print into the next cell from a thread of the last
# mechanism: a daemon thread that prints after the cell
# language: check
# reason: the policy does not authorize threading
# jail: wire
# plain: none (one plain process is one cell)
# expect: held
import threading

def go_on():
    for _ in range(2000):
        print("from the cell before", flush=True)
        time.sleep(0.001)

threading.Thread(target=go_on, daemon=True).start()
# ---
time.sleep(0.1)
"held: it goes on"
