# aim: take the module _os out of random
# mechanism: an attribute of random that happens to be a module
# source: smolagents, tests of its local executor
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import random

loot(random._os)
