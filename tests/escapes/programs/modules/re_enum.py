# Take the module enum out of re.
# mechanism: an attribute of re that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import re

loot(re.enum)
