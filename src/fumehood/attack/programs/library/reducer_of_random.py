# aim: let a random generator hand out what it is made of
# mechanism: Random.__reduce__ and getstate
# language: check
# reason: __reduce__ hands out functions of modules that are not authorized
# jail: process
# plain: loot

import random

loot(random.Random().__reduce__()[0].__init__.__globals__)
