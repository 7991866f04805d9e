# aim: let typing mark a library class
# mechanism: typing.final and typing.no_type_check set attributes on what they are given
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot
# limit: library state is shared with this process

import collections
import typing

typing.final(collections.Counter)
# --- second executor
import collections

if hasattr(collections.Counter, "__final__"):
    loot("mutated: collections.Counter")
