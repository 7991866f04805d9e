# aim: take the module base64 out of secrets
# mechanism: an attribute of secrets that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import secrets

loot(secrets.base64)
