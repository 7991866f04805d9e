# aim: take the event loop that a cell with await runs on
# mechanism: asyncio.get_running_loop at top level
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: none (await outside a function is a syntax error in plain Python)

import asyncio

await asyncio.sleep(0)
loot(asyncio.get_running_loop())
loot(asyncio.get_running_loop().run_in_executor)
