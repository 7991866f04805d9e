# aim: take the module os out of uuid
# mechanism: an attribute of uuid that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import uuid

loot(uuid.os)
