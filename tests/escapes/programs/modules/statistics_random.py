# Take the module random out of statistics.
# mechanism: an attribute of statistics that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import statistics

loot(statistics.random)
