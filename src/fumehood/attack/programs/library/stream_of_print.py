# aim: take the host's standard output as the default of print
# mechanism: sys.stdout and its buffer
# language: view
# reason: code has streams of its own
# jail: process
# plain: loot

import sys

loot(sys.stdout)
loot(sys.__stdout__)
