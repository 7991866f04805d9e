# Hide the forbidden attribute in an await.
# mechanism: a coroutine driven by hand
# stopped by: check
# reason: every node of the tree is checked, await too

import json


async def main():
    await loot(json.dumps.__globals__)


try:
    main().send(None)
except TypeError:
    pass
