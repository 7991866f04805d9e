# aim: do nothing for ever
# mechanism: time.sleep of a million seconds, with every exception caught
# language: nothing (any program may sleep; the host's clock ends it)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import time
while True:
    try:
        time.sleep(1_000_000)
    except BaseException:
        pass
