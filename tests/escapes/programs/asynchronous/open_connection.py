# Open a network connection.
# mechanism: asyncio.open_connection
# stopped by: view
# reason: asyncio gives tasks, queues and locks only

import asyncio

loot(asyncio.open_connection)
