# aim: read the table of loaded modules
# mechanism: sys.modules
# language: view
# reason: of sys only constants and pure functions are given
# jail: process
# plain: loot

import sys

loot(sys.modules)
