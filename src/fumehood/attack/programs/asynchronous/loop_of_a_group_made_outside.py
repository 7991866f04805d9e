# aim: gather while no loop runs, and take the loop that asyncio finds for it
# mechanism: gather() of nothing asks for the current loop
# language: view
# reason: code runs on a loop without sockets, processes or threads
# jail: process
# plain: loot
# python: 3.13 and older

import asyncio

loot(asyncio.gather().get_loop())
