# aim: put a context of the program's in place of the thread's
# mechanism: decimal.setcontext
# language: run
# reason: a session has a decimal context of its own
# jail: process
# plain: loot

import decimal

decimal.setcontext(decimal.Context(prec=4))
# --- second executor
import decimal

if decimal.getcontext().prec == 4:
    loot("mutated: the decimal context")
