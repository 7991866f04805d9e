# aim: kill itself
# layer: keeper
# expect: fault crash | fault killed | fault memory
# plain: crashes
import signal

os.kill(os.getpid(), signal.SIGKILL)
