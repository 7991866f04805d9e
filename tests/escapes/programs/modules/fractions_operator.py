# Take the module operator out of fractions.
# mechanism: an attribute of fractions that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import fractions

loot(fractions.operator)
