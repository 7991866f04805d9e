# Take the module _tzpath out of zoneinfo.
# mechanism: an attribute of zoneinfo that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import zoneinfo

loot(zoneinfo._tzpath)
