# aim: import a private module of an authorized package
# mechanism: import zoneinfo._tzpath
# language: check
# reason: private modules hold what the public ones leave out
# jail: process
# plain: loot

import zoneinfo._tzpath as found

loot(found)
