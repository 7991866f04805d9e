# Take a module out of another by a computed name.
# mechanism: getattr on a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import random

loot(getattr(random, '_' + 'os'))
