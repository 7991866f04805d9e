# aim: reach the raw file behind a stream of the cell
# mechanism: the buffer attribute of sys.stderr
# language: view
# reason: code has streams of its own
# jail: process
# plain: loot

import sys

loot(sys.stderr.buffer)
