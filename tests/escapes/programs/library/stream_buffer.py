# Reach the raw file behind a stream of the cell.
# mechanism: the buffer attribute of sys.stderr
# stopped by: view
# reason: code has streams of its own

import sys

loot(sys.stderr.buffer)
