# Read the table of loaded modules.
# mechanism: sys.modules
# stopped by: view
# reason: of sys only constants and pure functions are given

import sys

loot(sys.modules)
