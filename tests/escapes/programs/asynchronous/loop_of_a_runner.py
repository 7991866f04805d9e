# Take the event loop out of a runner.
# mechanism: asyncio.Runner.get_loop
# stopped by: view
# reason: code runs on a loop without sockets, processes or threads

import asyncio

with asyncio.Runner() as runner:
    loot(runner.get_loop())
