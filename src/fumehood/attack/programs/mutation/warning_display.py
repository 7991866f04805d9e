# aim: display the warnings of the host by a function of the program's
# mechanism: warnings.showwarning is looked up in the module
# language: view
# reason: writing to a view never reaches the module
# jail: process
# plain: loot

import warnings

warnings.showwarning = lambda *args: None
warnings.marker = "escaped"
# --- second executor
import warnings

if getattr(warnings, "marker", None) == "escaped":
    loot("mutated: warnings.showwarning")
