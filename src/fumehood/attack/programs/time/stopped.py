# aim: stop itself, so that it neither works nor ends
# mechanism: SIGSTOP to itself
# language: check
# reason: the policy does not authorize signal
# jail: clock, init
# plain: hangs
# expect: fault timeout | fault killed
# limits: cell_seconds=1
import signal

os.kill(os.getpid(), signal.SIGSTOP)
