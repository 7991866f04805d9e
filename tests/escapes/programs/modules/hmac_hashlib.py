# Take the module _hashlib out of hmac.
# mechanism: an attribute of hmac that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import hmac

loot(hmac._hashlib)
