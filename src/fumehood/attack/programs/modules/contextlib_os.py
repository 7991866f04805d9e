# aim: take the module os out of contextlib
# mechanism: an attribute of contextlib that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import contextlib

loot(contextlib.os)
