# aim: replace the event loop policy of the host
# mechanism: asyncio.set_event_loop_policy
# language: view
# reason: the host's event loops are not the program's
# jail: process
# plain: loot

import asyncio


class Policy(asyncio.DefaultEventLoopPolicy):
    pass


asyncio.set_event_loop_policy(Policy())
# --- second executor
import asyncio

if type(asyncio.get_event_loop_policy()).__name__ == "Policy":
    loot("mutated: the event loop policy")
