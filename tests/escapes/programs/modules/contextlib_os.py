# Take the module os out of contextlib.
# mechanism: an attribute of contextlib that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import contextlib

loot(contextlib.os)
