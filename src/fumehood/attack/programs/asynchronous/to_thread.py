# aim: run a function in a thread
# mechanism: asyncio.to_thread
# language: view
# reason: threads outlive a cell
# jail: process
# plain: loot

import asyncio

loot(asyncio.to_thread)
