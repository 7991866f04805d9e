# Change a set that the library offers.
# mechanism: hashlib.algorithms_available is a set
# stopped by: run
# reason: library data are shared by every session and by the host

import hashlib

hashlib.algorithms_available.add("escaped")
# --- second executor
import hashlib

if "escaped" in hashlib.algorithms_available:
    loot("mutated: hashlib.algorithms_available")
