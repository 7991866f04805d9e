# Take the module os out of uuid.
# mechanism: an attribute of uuid that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import uuid

loot(uuid.os)
