# Install a trace function, which is handed every frame.
# mechanism: sys.settrace
# stopped by: view
# reason: sys is given as constants and pure functions

import sys

loot(sys.settrace)
