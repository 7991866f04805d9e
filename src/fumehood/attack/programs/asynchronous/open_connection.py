# aim: open a network connection
# mechanism: asyncio.open_connection
# language: view
# reason: asyncio gives tasks, queues and locks only
# jail: process
# plain: loot

import asyncio

loot(asyncio.open_connection)
