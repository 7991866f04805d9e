# aim: start a program
# mechanism: asyncio.create_subprocess_exec
# language: view
# reason: asyncio gives tasks, queues and locks only
# jail: process
# plain: loot

import asyncio

loot(asyncio.create_subprocess_exec)
