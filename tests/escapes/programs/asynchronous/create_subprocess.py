# Start a program.
# mechanism: asyncio.create_subprocess_exec
# stopped by: view
# reason: asyncio gives tasks, queues and locks only

import asyncio

loot(asyncio.create_subprocess_exec)
