# Take the module sys out of warnings.
# mechanism: an attribute of warnings that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import warnings

loot(warnings.sys)
