# aim: take the module sys out of datetime
# mechanism: an attribute of datetime that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot
# python: 3.11 only

import datetime

loot(datetime.sys)
