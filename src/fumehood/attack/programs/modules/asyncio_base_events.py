# aim: take the module base_events out of asyncio
# mechanism: an attribute of asyncio that happens to be a module
# source: smolagents, tests of its local executor
# language: view
# reason: a module found inside a module is a view or absent
# jail: process
# plain: loot

import asyncio

loot(asyncio.base_events)
