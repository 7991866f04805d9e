# aim: list the tasks of the host
# mechanism: asyncio.all_tasks
# language: run
# reason: only the program's own tasks are on its loop
# jail: process
# plain: loot

import asyncio


async def main():
    for task in asyncio.all_tasks():
        loot(task.get_stack())


asyncio.run(main())
