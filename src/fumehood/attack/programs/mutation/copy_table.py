# aim: register a function by which every session copies a type
# mechanism: copy.dispatch_table is the table of copyreg
# language: run
# reason: library data are shared by every session and by the host
# jail: process
# plain: loot

import copy
import fractions

copy.dispatch_table[fractions.Fraction] = lambda value: (str, ("changed",))
# --- second executor
import copy
import fractions

copied = copy.dispatch_table.get(fractions.Fraction) if hasattr(copy, "dispatch_table") else None
if copied is not None:
    loot("mutated: copy.dispatch_table")
