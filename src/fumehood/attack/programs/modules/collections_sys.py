# aim: take the module _sys out of collections
# mechanism: an attribute of collections that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import collections

loot(collections._sys)
