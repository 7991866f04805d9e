# aim: go on in an event loop after the cell
# mechanism: a task that nobody awaits
# language: nothing (a task may be left behind)
# jail: wire
# plain: none (a plain process has no tools of a host)
# expect: held
# host: again, again
# hosts: root
import asyncio

async def later():
    while True:
        await asyncio.sleep(0.01)
        add(1, 1)

task = asyncio.ensure_future(later())
"held: a task is left"
