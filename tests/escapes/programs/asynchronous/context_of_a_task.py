# Read the context variables of the host through a task.
# mechanism: Task.get_context, which can be walked like a mapping
# stopped by: run
# reason: what the host keeps in context variables is not for the code it runs
# python: 3.12+

import asyncio


async def main():
    loot(list(asyncio.current_task().get_context().values()))


asyncio.run(main())
