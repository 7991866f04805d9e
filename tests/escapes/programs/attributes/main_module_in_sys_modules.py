# Fetch the host's main module.
# mechanism: sys.modules["__main__"]
# stopped by: view
# reason: sys is given as constants and pure functions, and modules is neither

import sys

loot(sys.modules["__main__"])
