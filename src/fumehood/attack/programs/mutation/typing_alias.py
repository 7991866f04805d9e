# aim: change an alias of typing itself
# mechanism: an alias keeps its name in an attribute that can be written
# language: run
# reason: library objects are shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process

import typing

typing.List._name = "Escaped"
# --- second executor
import typing

if "Escaped" in repr(typing.List):
    loot("mutated: typing.List")
