# aim: get the writable dictionary of a library class out of its read-only proxy
# mechanism: a mapping proxy hands its dictionary to the __ror__ of the other operand
# language: builtins
# reason: a class dictionary that can be written changes the class for everybody
# jail: process
# plain: loot

import collections


class Thief:
    def __ror__(self, namespace):
        namespace["escaped"] = True
        return namespace


vars(collections.Counter) | Thief()
# --- second executor
import collections

if hasattr(collections.Counter, "escaped"):
    loot("mutated: collections.Counter")
