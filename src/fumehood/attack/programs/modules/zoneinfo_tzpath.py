# aim: take the module _tzpath out of zoneinfo
# mechanism: an attribute of zoneinfo that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import zoneinfo

loot(zoneinfo._tzpath)
