# aim: change a constant of the library that refuses assignments
# mechanism: object.__setattr__ goes past the class's own __setattr__
# language: run
# reason: library objects are shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process

import uuid

object.__setattr__(uuid.NAMESPACE_DNS, "int", 7)
# --- second executor
import uuid

if uuid.NAMESPACE_DNS.int == 7:
    loot("mutated: uuid.NAMESPACE_DNS")
