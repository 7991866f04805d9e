# aim: keep an event loop turning for ever with tasks that start each other
# mechanism: asyncio tasks that make tasks
# language: nothing (any program may await; the host's clock ends it)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
import asyncio

async def turn():
    while True:
        await asyncio.gather(*(asyncio.sleep(0) for _ in range(10)))

asyncio.run(turn())
