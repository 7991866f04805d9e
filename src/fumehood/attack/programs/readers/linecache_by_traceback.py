# aim: read a file through the cache of source lines
# mechanism: traceback.linecache.getlines
# language: view
# reason: a module found inside a module is a view or absent
# jail: mount namespace, landlock
# plain: loot

import traceback

loot(traceback.linecache.getlines(secret_path))
