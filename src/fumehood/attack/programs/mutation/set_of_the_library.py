# aim: change a set that the library offers
# mechanism: hashlib.algorithms_available is a set
# language: run
# reason: library data are shared by every session and by the host
# jail: process
# plain: loot

import hashlib

hashlib.algorithms_available.add("escaped")
# --- second executor
import hashlib

if "escaped" in hashlib.algorithms_available:
    loot("mutated: hashlib.algorithms_available")
