# aim: take the event loop out of a runner
# mechanism: asyncio.Runner.get_loop
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot

import asyncio

with asyncio.Runner() as runner:
    loot(runner.get_loop())
