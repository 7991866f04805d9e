# aim: keep the process from ending
# mechanism: atexit.register of an endless loop, then SystemExit
# language: check
# reason: the policy does not authorize atexit
# jail: init, clock
# plain: none (in a plain process it holds up nobody but itself)
# expect: error SystemExit | fault crash | held | fault timeout
# limits: cell_seconds=1
# hosts: root
import atexit, time
atexit.register(time.sleep, 1_000_000)
raise SystemExit(1)
