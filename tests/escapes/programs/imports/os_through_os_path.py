# Reach os through the module of path functions.
# mechanism: os.path.os
# stopped by: view
# reason: a module found inside a module is a view or absent

import os.path

loot(os.path.os)
