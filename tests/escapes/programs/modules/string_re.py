# Take the module _re out of string.
# mechanism: an attribute of string that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import string

loot(string._re)
