# aim: take the module decoder out of json
# mechanism: an attribute of json that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import json

loot(json.decoder)
