# aim: reach os through the module of path functions
# mechanism: os.path.os
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import os.path

loot(os.path.os)
