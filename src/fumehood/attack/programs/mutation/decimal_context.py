# aim: change the precision with which the host computes
# mechanism: decimal.getcontext() is the context of the thread
# language: run
# reason: a session has a decimal context of its own
# jail: process
# plain: loot

import decimal

decimal.getcontext().prec = 3
# --- second executor
import decimal

if decimal.getcontext().prec == 3:
    loot("mutated: the decimal context")
