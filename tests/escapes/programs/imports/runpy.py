# Run modules by name.
# mechanism: import runpy
# stopped by: check
# reason: runpy runs any module unguarded

import runpy

loot(runpy)
