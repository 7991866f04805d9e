# Take the module _os out of random.
# mechanism: an attribute of random that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import random

loot(random._os)
