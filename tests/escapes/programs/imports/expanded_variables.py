# Read the environment through a path function.
# mechanism: os.path.expandvars
# stopped by: view
# reason: path functions that look at the environment are left out

import os.path

loot(os.path.expandvars('$FUMEHOOD_ESCAPE_SECRET'))
