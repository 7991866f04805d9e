# aim: take the module _hashlib out of hmac
# mechanism: an attribute of hmac that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import hmac

loot(hmac._hashlib)
