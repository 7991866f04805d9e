# aim: make every number a sequence, for the whole process
# mechanism: collections.abc.Sequence.register
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import collections.abc

collections.abc.Sequence.register(int)
# --- second executor
import collections.abc

if isinstance(1, collections.abc.Sequence):
    loot("mutated: collections.abc.Sequence")
