# aim: take the module sys out of warnings
# mechanism: an attribute of warnings that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import warnings

loot(warnings.sys)
