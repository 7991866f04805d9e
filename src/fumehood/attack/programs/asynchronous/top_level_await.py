# aim: read the frame of the coroutine that a cell with await runs in
# mechanism: a coroutine's frame by a computed name, in a cell that awaits
# language: builtins
# reason: a frame leads to the variables of every caller
# jail: process
# plain: none (await outside a function is a syntax error in plain Python)

import asyncio

await asyncio.sleep(0)
task = asyncio.current_task()
loot(getattr(task.get_coro(), "cr_fr" + "ame"))
