# aim: read the context variables of the host through a runner
# mechanism: the runner keeps a copy of the context it was made in
# language: run
# reason: what the host keeps in context variables is not for the code it runs
# jail: process
# plain: loot

import asyncio

with asyncio.Runner() as runner:
    runner.get_loop()
    loot(list(runner._context.values()))
