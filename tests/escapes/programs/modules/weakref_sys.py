# Take the module sys out of weakref.
# mechanism: an attribute of weakref that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import weakref

loot(weakref.sys)
