# aim: take the module linecache out of traceback
# mechanism: an attribute of traceback that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import traceback

loot(traceback.linecache)
