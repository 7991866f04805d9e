# aim: take the module sys out of calendar
# mechanism: an attribute of calendar that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import calendar

loot(calendar.sys)
