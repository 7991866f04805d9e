# aim: take the module _sys out of pprint
# mechanism: an attribute of pprint that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import pprint

loot(pprint._sys)
