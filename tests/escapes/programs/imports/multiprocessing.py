# Start processes.
# mechanism: import multiprocessing
# stopped by: check
# reason: multiprocessing starts processes

import multiprocessing

loot(multiprocessing)
