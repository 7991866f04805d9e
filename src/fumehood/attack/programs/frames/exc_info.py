# aim: read the frame of the exception being handled
# mechanism: sys.exc_info
# language: builtins
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

import sys

try:
    1 / 0
except ZeroDivisionError:
    loot(getattr(sys.exc_info()[2], "tb_fr" + "ame"))
