# aim: ask for the current frame
# mechanism: sys._getframe
# language: view
# reason: sys is given as constants and pure functions
# jail: process
# plain: loot

import sys

loot(sys._getframe())
