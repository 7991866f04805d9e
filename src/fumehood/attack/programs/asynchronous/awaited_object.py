# aim: let an object of the program's be driven by the loop and look who drives it
# mechanism: __await__ yields to the loop, and the generator's frame leads back
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

import asyncio


class Waiting:
    def __await__(self):
        driver = (x for x in "x")
        loot(driver.gi_frame)
        yield


async def main():
    await Waiting()


asyncio.run(main())
