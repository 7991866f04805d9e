# aim: assign to a constant of a module through its dictionary
# mechanism: vars() of a module
# language: view
# reason: writing to a view never reaches the module
# jail: process
# plain: loot

import string

vars(string)["digits"] = "changed"
# --- second executor
import string

if string.digits == "changed":
    loot("mutated: string.digits")
