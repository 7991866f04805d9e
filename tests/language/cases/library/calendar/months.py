# Months, weekdays and leap years.
import calendar
from calendar import isleap, monthrange

print(isleap(2000), isleap(1900), calendar.leapdays(2000, 2021), int(monthrange(2024, 2)[0]), monthrange(2024, 2)[1])
print(calendar.month_name[5], list(calendar.day_abbr), calendar.weekday(2024, 1, 1) == 0)
print(calendar.TextCalendar(calendar.SUNDAY).formatmonth(2023, 2))
print([week for week in calendar.Calendar().monthdayscalendar(2024, 9)][-1])
print(calendar.timegm((1970, 1, 2, 0, 0, 0)))
list(calendar.Calendar(firstweekday=6).iterweekdays())
