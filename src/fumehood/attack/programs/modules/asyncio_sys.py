# aim: take the module sys out of asyncio
# mechanism: an attribute of asyncio that happens to be a module
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import asyncio

loot(asyncio.sys)
