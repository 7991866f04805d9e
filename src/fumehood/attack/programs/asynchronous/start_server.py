# aim: listen on the network
# mechanism: asyncio.start_server
# language: view
# reason: asyncio gives tasks, queues and locks only
# jail: process
# plain: loot

import asyncio

loot(asyncio.start_server)
