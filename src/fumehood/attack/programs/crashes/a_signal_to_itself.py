# aim: kill itself
# mechanism: SIGKILL by os.kill
# language: check
# reason: the policy does not authorize signal
# jail: init
# plain: crashes
# expect: fault crash | fault killed | fault memory
import signal

os.kill(os.getpid(), signal.SIGKILL)
