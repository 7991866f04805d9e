# Take the module builtins out of reprlib.
# mechanism: an attribute of reprlib that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import reprlib

loot(reprlib.builtins)
