# aim: take a module out of another by a computed name
# mechanism: getattr on a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import random

loot(getattr(random, '_' + 'os'))
