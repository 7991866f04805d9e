# aim: let types replace the code of a library generator
# mechanism: types.coroutine sets a flag in the code of the function it is given
# language: builtins
# reason: library functions are shared by every session and by the host
# jail: process
# plain: loot

import heapq
import types

before = list(heapq.merge([1], [2]))
types.coroutine(heapq.merge)
# --- second executor
import heapq


async def main():
    # Awaiting a generator works only if its code is flagged.
    await heapq.merge([], [])


try:
    main().send(None)
except StopIteration:
    loot("mutated: the code of heapq.merge")
except TypeError:
    pass
