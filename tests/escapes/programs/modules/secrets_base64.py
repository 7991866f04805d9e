# Take the module base64 out of secrets.
# mechanism: an attribute of secrets that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import secrets

loot(secrets.base64)
