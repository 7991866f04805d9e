# aim: take the module _hashlib out of hashlib
# mechanism: an attribute of hashlib that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import hashlib

loot(hashlib._hashlib)
