# Take the module _sys out of pprint.
# mechanism: an attribute of pprint that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import pprint

loot(pprint._sys)
