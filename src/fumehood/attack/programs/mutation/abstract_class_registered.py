# aim: make every text a number, for the whole process
# mechanism: numbers.Number.register
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import numbers

numbers.Number.register(str)
# --- second executor
import numbers

if isinstance("text", numbers.Number):
    loot("mutated: numbers.Number")
