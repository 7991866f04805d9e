# Replace the standard output of the host.
# mechanism: assignment to sys.stdout
# stopped by: view
# reason: writing to a view never reaches the module

import io
import sys

sys.stdout = io.StringIO("changed")
# --- second executor
import sys

if getattr(sys.stdout, "getvalue", str)() == "changed":
    loot("mutated: sys.stdout")
