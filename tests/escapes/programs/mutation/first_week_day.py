# Change the day a week begins with.
# mechanism: calendar.setfirstweekday
# stopped by: run
# reason: library data are shared by every session and by the host

import calendar

calendar.setfirstweekday(6)
# --- second executor
import calendar

if calendar.firstweekday() == 6:
    loot("mutated: calendar.firstweekday")
