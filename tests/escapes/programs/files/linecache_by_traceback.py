# Read a file through the cache of source lines.
# mechanism: traceback.linecache.getlines
# stopped by: view
# reason: a module found inside a module is a view or absent

import traceback

loot(traceback.linecache.getlines(secret_path))
