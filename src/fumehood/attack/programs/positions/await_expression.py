# aim: hide the forbidden attribute in an await
# mechanism: a coroutine driven by hand
# language: check
# reason: every node of the tree is checked, await too
# jail: process
# plain: loot

import json


async def main():
    await loot(json.dumps.__globals__)


try:
    main().send(None)
except TypeError:
    pass
