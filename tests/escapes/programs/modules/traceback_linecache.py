# Take the module linecache out of traceback.
# mechanism: an attribute of traceback that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import traceback

loot(traceback.linecache)
