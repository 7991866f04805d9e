# aim: stop itself, so that it neither works nor ends
# layer: clock, keeper
# expect: fault timeout | fault killed
# plain: hangs
# limits: cell_seconds=1
import signal

os.kill(os.getpid(), signal.SIGSTOP)
