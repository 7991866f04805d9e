# aim: end the process between two cells, by a thread that is not Python's
# mechanism: faulthandler.dump_traceback_later with exit
# language: check
# reason: the policy does not authorize faulthandler
# jail: init
# plain: none (in a plain process it ends nobody but itself)
# expect: held
# host: again
# hosts: root
import faulthandler, time
faulthandler.dump_traceback_later(0.05, exit=True)
time.sleep(0.02)
"held: there is an appointment"
