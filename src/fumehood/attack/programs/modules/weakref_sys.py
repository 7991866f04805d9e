# aim: take the module sys out of weakref
# mechanism: an attribute of weakref that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import weakref

loot(weakref.sys)
