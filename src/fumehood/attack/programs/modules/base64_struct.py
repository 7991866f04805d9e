# aim: take the module struct out of base64
# mechanism: an attribute of base64 that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import base64

loot(base64.struct)
