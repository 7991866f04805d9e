# Take the module base_events out of asyncio.
# mechanism: an attribute of asyncio that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import asyncio

loot(asyncio.base_events)
