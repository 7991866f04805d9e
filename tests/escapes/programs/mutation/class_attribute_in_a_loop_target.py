# Replace a method of a library class in a loop header.
# mechanism: an attribute as the target of a for loop
# stopped by: run
# reason: library classes are shared by every session and by the host

import string

for string.Formatter.escaped in [1]:
    pass
# --- second executor
import string

if hasattr(string.Formatter, "escaped"):
    loot("mutated: string.Formatter")
