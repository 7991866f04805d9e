# aim: look at frames and signatures with inspect
# mechanism: import inspect
# language: check
# reason: inspect hands out frames and source
# jail: process
# plain: loot

import inspect

loot(inspect)
