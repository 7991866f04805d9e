# aim: take the module inspect out of dataclasses
# mechanism: an attribute of dataclasses that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import dataclasses

loot(dataclasses.inspect)
