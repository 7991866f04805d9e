# aim: take the module enum out of re
# mechanism: an attribute of re that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import re

loot(re.enum)
