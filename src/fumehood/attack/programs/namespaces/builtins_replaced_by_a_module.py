# aim: put a module in place of the builtins, so that its private names become builtins
# mechanism: names that are not in the globals are looked up in whatever __builtins__ is
# language: run
# reason: every cell runs with the guarded builtins, whatever the last one did to its namespace
# jail: process
# plain: loot

import json

globals()["__builtins__"] = json
# ---
loot(codecs)
