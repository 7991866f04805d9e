# aim: change the base class of all enumerations
# mechanism: attribute assignment on enum.Enum
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import enum

enum.Enum.escaped = property(lambda self: "changed")
# --- second executor
import enum


class Colour(enum.Enum):
    RED = 1


if getattr(Colour.RED, "escaped", None) == "changed":
    loot("mutated: enum.Enum")
