# aim: change the day a week begins with
# mechanism: calendar.setfirstweekday
# language: run
# reason: library data are shared by every session and by the host
# jail: process
# plain: loot

import calendar

calendar.setfirstweekday(6)
# --- second executor
import calendar

if calendar.firstweekday() == 6:
    loot("mutated: calendar.firstweekday")
