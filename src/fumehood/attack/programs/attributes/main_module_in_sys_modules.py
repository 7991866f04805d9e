# aim: fetch the host's main module
# mechanism: sys.modules["__main__"]
# language: view
# reason: sys is given as constants and pure functions, and modules is neither
# jail: process
# plain: loot

import sys

loot(sys.modules["__main__"])
