# aim: install a trace function, which is handed every frame
# mechanism: sys.settrace
# language: view
# reason: sys is given as constants and pure functions
# jail: process
# plain: loot

import sys

loot(sys.settrace)
