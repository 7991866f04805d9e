import os
import signal

received = []


def handler(number, frame):
    received.append(signal.Signals(number).name)


old = signal.signal(signal.SIGUSR1, handler)
os.kill(os.getpid(), signal.SIGUSR1)
print(received, old == signal.SIG_DFL)
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.02)
signal.pause()
print(received)
signal.signal(signal.SIGINT, handler)
os.kill(os.getpid(), signal.SIGINT)
print(received[-1])
signal.signal(signal.SIGINT, signal.default_int_handler)
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    print("interrupted")
