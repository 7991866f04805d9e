# aim: write into the member table of a library enumeration
# mechanism: _member_map_ is an ordinary dictionary on the class
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process

import uuid

uuid.SafeUUID._member_map_["escaped"] = 1
# --- second executor
import uuid

if "escaped" in uuid.SafeUUID.__members__:
    loot("mutated: uuid.SafeUUID")
