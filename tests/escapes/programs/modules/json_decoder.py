# Take the module decoder out of json.
# mechanism: an attribute of json that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import json

loot(json.decoder)
