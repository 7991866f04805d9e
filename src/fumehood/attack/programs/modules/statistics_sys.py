# aim: take the module sys out of statistics
# mechanism: an attribute of statistics that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import statistics

loot(statistics.sys)
