# Listen on the network.
# mechanism: asyncio.start_server
# stopped by: view
# reason: asyncio gives tasks, queues and locks only

import asyncio

loot(asyncio.start_server)
