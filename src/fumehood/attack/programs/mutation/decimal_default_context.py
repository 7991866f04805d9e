# aim: change the precision with which new threads of the host compute
# mechanism: decimal.DefaultContext is one object for the whole process
# language: run
# reason: library objects are shared by every session and by the host
# jail: process
# plain: loot

import decimal

decimal.DefaultContext.prec = 3
# --- second executor
import decimal

if decimal.DefaultContext.prec == 3:
    loot("mutated: decimal.DefaultContext")
