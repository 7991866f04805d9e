# aim: read the context variables of the host through a task
# mechanism: Task.get_context, which can be walked like a mapping
# language: run
# reason: what the host keeps in context variables is not for the code it runs
# jail: process
# plain: loot
# python: 3.12+

import asyncio


async def main():
    loot(list(asyncio.current_task().get_context().values()))


asyncio.run(main())
