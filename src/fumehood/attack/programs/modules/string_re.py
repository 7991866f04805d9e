# aim: take the module _re out of string
# mechanism: an attribute of string that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import string

loot(string._re)
