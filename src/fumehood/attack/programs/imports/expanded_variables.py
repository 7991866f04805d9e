# aim: read the environment through a path function
# mechanism: os.path.expandvars
# language: view
# reason: path functions that look at the environment are left out
# jail: process
# plain: loot

import os.path

loot(os.path.expandvars('$FUMEHOOD_ESCAPE_SECRET'))
