# Take the module sys out of asyncio.
# mechanism: an attribute of asyncio that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import asyncio

loot(asyncio.sys)
