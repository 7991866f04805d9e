# Take the module inspect out of dataclasses.
# mechanism: an attribute of dataclasses that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import dataclasses

loot(dataclasses.inspect)
