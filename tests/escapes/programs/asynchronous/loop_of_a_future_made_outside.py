# Make a future while no loop runs, and take the loop that asyncio finds for it.
# mechanism: without a running loop asyncio asks the policy, which makes a real loop
# stopped by: view
# reason: code runs on a loop without sockets, processes or threads
# python: 3.13 and older

import asyncio

loot(asyncio.Future().get_loop())
