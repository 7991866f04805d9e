# Make an event loop.
# mechanism: asyncio.new_event_loop
# stopped by: view
# reason: code runs on a loop without sockets, processes or threads

import asyncio

loop = asyncio.new_event_loop()
loot(loop)
loop.close()
