# aim: start threads of the host without end
# mechanism: many threads that call a slow tool at once
# language: check
# reason: the policy does not authorize threading
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held | fault processes | fault timeout | error RuntimeError
# limits: cell_seconds=3 processes=200
# hosts: root
import threading
crew = [threading.Thread(target=slow, daemon=True) for _ in range(100)]
for each in crew:
    each.start()
for each in crew:
    each.join()
"held: the host is still there"
