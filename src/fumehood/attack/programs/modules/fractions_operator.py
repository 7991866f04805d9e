# aim: take the module operator out of fractions
# mechanism: an attribute of fractions that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import fractions

loot(fractions.operator)
