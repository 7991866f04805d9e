# aim: read what a bound method is bound to out of a weak reference to it
# mechanism: the base class of WeakMethod is a reference to the object
# language: run
# reason: what the methods that code can hold are bound to is harmless
# jail: process
# plain: none (whether something of fumehood's is found is what is tested)

import asyncio
import weakref


async def main():
    loop = asyncio.get_running_loop()
    runner = asyncio.Runner()
    runner.get_loop()
    for name in ("_halted", "_loop_factory", "_stop_when_done", "run_until_complete", "_exception_handler"):
        for holder in (loop, runner):
            method = getattr(holder, name, None)
            try:
                loot(weakref.ReferenceType.__call__(weakref.WeakMethod(method)))
            except TypeError:
                pass


try:
    asyncio.run(main())
except RuntimeError:
    pass
