# aim: change a list that the library computes with
# mechanism: calendar.mdays holds the lengths of the months
# language: run
# reason: library data are shared by every session and by the host
# jail: process
# plain: loot

import calendar

calendar.mdays[1] = 3
# --- second executor
import calendar

if calendar.monthrange(2023, 1)[1] == 3:
    loot("mutated: calendar.mdays")
