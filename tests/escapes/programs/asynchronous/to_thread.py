# Run a function in a thread.
# mechanism: asyncio.to_thread
# stopped by: view
# reason: threads outlive a cell

import asyncio

loot(asyncio.to_thread)
