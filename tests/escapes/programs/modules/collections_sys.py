# Take the module _sys out of collections.
# mechanism: an attribute of collections that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import collections

loot(collections._sys)
