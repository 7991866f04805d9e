# aim: list every object of the process
# mechanism: import gc
# language: check
# reason: gc hands out every object of the process
# jail: process
# plain: loot

import gc

loot(gc)
