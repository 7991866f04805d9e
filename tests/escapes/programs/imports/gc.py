# List every object of the process.
# mechanism: import gc
# stopped by: check
# reason: gc hands out every object of the process

import gc

loot(gc)
