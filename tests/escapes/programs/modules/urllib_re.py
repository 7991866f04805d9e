# Take the module re out of urllib.parse.
# mechanism: an attribute of urllib.parse that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import urllib.parse

loot(urllib.parse.re)
