# Install signal handlers in the host.
# mechanism: import signal
# stopped by: check
# reason: signal changes the signal handlers of the host

import signal

loot(signal)
