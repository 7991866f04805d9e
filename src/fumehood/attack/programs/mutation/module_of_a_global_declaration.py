# aim: import a module's name and rebind it in the module by an import trick
# mechanism: import a.b as an assignment to the attribute b of a
# language: view
# reason: writing to a view never reaches the module
# jail: process
# plain: loot

import collections

collections.abc = "changed"
# --- second executor
import collections

if getattr(collections, "abc", None) == "changed":
    loot("mutated: collections.abc")
