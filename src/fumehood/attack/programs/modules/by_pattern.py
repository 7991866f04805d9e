# aim: take a module out of another by a class pattern
# mechanism: a keyword pattern on a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import random

match random:
    case object(_os=found):
        loot(found)
