# aim: replace the standard output of the host
# mechanism: assignment to sys.stdout
# language: view
# reason: writing to a view never reaches the module
# jail: process
# plain: loot

import io
import sys

sys.stdout = io.StringIO("changed")
# --- second executor
import sys

if getattr(sys.stdout, "getvalue", str)() == "changed":
    loot("mutated: sys.stdout")
