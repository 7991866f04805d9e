# aim: install signal handlers in the host
# mechanism: import signal
# language: check
# reason: signal changes the signal handlers of the host
# jail: process
# plain: loot

import signal

loot(signal)
