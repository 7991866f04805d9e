# aim: make an event loop
# mechanism: asyncio.new_event_loop
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot

import asyncio

loop = asyncio.new_event_loop()
loot(loop)
loop.close()
