# aim: start processes
# mechanism: import multiprocessing
# language: check
# reason: multiprocessing starts processes
# jail: process
# plain: loot

import multiprocessing

loot(multiprocessing)
