# aim: let enum write the members of an enumeration into a library module
# mechanism: enum.global_enum updates the namespace of sys.modules[cls.__module__]
# language: builtins
# reason: library modules are shared by every session and by the host
# jail: process
# plain: loot

import enum


class Constants(enum.IntEnum):
    __module__ = "calendar"
    MONDAY = 5


enum.global_enum(Constants)
# --- second executor
import calendar

if calendar.MONDAY == 5:
    loot("mutated: calendar.MONDAY")
