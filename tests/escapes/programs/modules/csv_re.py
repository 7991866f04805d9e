# Take the module re out of csv.
# mechanism: an attribute of csv that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import csv

loot(csv.re)
