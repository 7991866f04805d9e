# aim: have the host be told of more parts than come
# mechanism: a list that a thread changes while it is encoded
# language: check
# reason: the policy does not authorize threading
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held | fault crash | error RuntimeError | fault timeout
# limits: cell_seconds=3
# hosts: root
import threading, time
shared = list(range(100_000))
table = {number: number for number in range(100_000)}

def change():
    until = time.monotonic() + 1.5
    while time.monotonic() < until:
        shared.append([shared])
        table[len(table)] = shared
        if len(shared) > 110_000:
            del shared[100_000:]
            table.clear()

threading.Thread(target=change, daemon=True).start()
[shared, table]
# ---
"held: the host is still there"
