# aim: hide the forbidden attribute in an asynchronous comprehension
# mechanism: a comprehension with async for
# language: check
# reason: every node of the tree is checked, asynchronous comprehensions too
# jail: process
# plain: loot

import json


async def numbers():
    yield 0


async def main():
    return [loot(json.dumps.__globals__) async for _ in numbers()]


try:
    main().send(None)
except StopIteration:
    pass
