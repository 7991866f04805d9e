# aim: let the runner use a loop class of the program's
# mechanism: asyncio.Runner(loop_factory=…)
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot

import asyncio


class Loop(asyncio.SelectorEventLoop):
    pass


with asyncio.Runner(loop_factory=Loop) as runner:
    loot(runner.get_loop())
