# Take the module sys out of datetime.
# mechanism: an attribute of datetime that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent
# python: 3.11 only

import datetime

loot(datetime.sys)
