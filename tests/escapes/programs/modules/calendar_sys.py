# Take the module sys out of calendar.
# mechanism: an attribute of calendar that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import calendar

loot(calendar.sys)
