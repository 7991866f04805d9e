# aim: give an enumeration the name of a library module and let it be exported there
# mechanism: the functional API takes the module as a keyword
# language: builtins
# reason: library modules are shared by every session and by the host
# jail: process
# plain: loot

import enum

Constants = enum.IntEnum("Constants", {"TUESDAY": 6}, module="calendar")
enum.global_enum(Constants)
# --- second executor
import calendar

if calendar.TUESDAY == 6:
    loot("mutated: calendar.TUESDAY")
