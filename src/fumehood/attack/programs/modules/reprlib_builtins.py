# aim: take the module builtins out of reprlib
# mechanism: an attribute of reprlib that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import reprlib

loot(reprlib.builtins)
