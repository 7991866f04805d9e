# aim: block and ignore every signal and go on
# mechanism: pthread_sigmask and SIG_IGN for every signal
# language: check
# reason: the policy does not authorize signal
# jail: clock, init
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=1
import signal

for number in signal.valid_signals():
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
while True:
    time.sleep(0.01)
