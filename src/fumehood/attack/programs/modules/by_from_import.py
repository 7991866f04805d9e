# aim: take a module out of another by from-import
# mechanism: from enum import bltns
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

from enum import bltns

loot(bltns)
