# Take the host's standard output as the default of print.
# mechanism: sys.stdout and its buffer
# stopped by: view
# reason: code has streams of its own

import sys

loot(sys.stdout)
loot(sys.__stdout__)
