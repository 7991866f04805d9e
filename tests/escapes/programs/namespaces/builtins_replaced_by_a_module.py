# Put a module in place of the builtins, so that its private names become builtins.
# mechanism: names that are not in the globals are looked up in whatever __builtins__ is
# stopped by: run
# reason: every cell runs with the guarded builtins, whatever the last one did to its namespace

import json

globals()["__builtins__"] = json
# ---
loot(codecs)
