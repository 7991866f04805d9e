# Take the module sys out of enum.
# mechanism: an attribute of enum that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import enum

loot(enum.sys)
