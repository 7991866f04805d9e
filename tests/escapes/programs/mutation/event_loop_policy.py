# Replace the event loop policy of the host.
# mechanism: asyncio.set_event_loop_policy
# stopped by: view
# reason: the host's event loops are not the program's

import asyncio


class Policy(asyncio.DefaultEventLoopPolicy):
    pass


asyncio.set_event_loop_policy(Policy())
# --- second executor
import asyncio

if type(asyncio.get_event_loop_policy()).__name__ == "Policy":
    loot("mutated: the event loop policy")
