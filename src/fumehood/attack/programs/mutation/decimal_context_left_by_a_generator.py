# aim: leave a changed context behind in a suspended generator
# mechanism: decimal.localcontext inside a generator that never ends
# language: run
# reason: a session has a decimal context of its own
# jail: process
# plain: loot

import decimal


def suspended():
    with decimal.localcontext() as context:
        context.prec = 5
        yield


left = suspended()
next(left)
# --- second executor
import decimal

if decimal.getcontext().prec == 5:
    loot("mutated: the decimal context")
