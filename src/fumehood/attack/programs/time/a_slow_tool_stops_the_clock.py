# aim: keep a slow tool of the host busy, whose time does not count, and compute for free meanwhile
# mechanism: a thread that calls a slow tool while another computes
# language: check
# reason: the policy does not authorize threading
# jail: clock
# plain: none (a plain process has no tools)
# expect: fault timeout
# limits: cell_seconds=1
import threading

def keep_it_busy():
    while True:
        slow()

for _ in range(2):
    threading.Thread(target=keep_it_busy, daemon=True).start()
ends = time.monotonic() + 20  # it counts what it computes, and that is little where the machine is busy
while time.monotonic() < ends:
    pass
"held: but the clock stood still for twenty seconds"
