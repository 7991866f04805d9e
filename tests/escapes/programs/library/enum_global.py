# Let enum write the members of an enumeration into a library module.
# mechanism: enum.global_enum updates the namespace of sys.modules[cls.__module__]
# stopped by: builtins
# reason: library modules are shared by every session and by the host

import enum


class Constants(enum.IntEnum):
    __module__ = "calendar"
    MONDAY = 5


enum.global_enum(Constants)
# --- second executor
import calendar

if calendar.MONDAY == 5:
    loot("mutated: calendar.MONDAY")
