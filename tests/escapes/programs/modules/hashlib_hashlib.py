# Take the module _hashlib out of hashlib.
# mechanism: an attribute of hashlib that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import hashlib

loot(hashlib._hashlib)
