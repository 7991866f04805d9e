import calendar
from datetime import date

print(calendar.month(2024, 2))
print(calendar.isleap(2100), calendar.leapdays(2000, 2025), calendar.monthrange(2023, 2))
sunday_first = calendar.TextCalendar(firstweekday=6)
print(sunday_first.formatmonth(2023, 10).splitlines()[1])


def third_fridays(year):
    cal = calendar.Calendar()
    for month in range(1, 13):
        fridays = [day for day in cal.itermonthdates(year, month) if day.month == month and day.weekday() == 4]
        yield fridays[2]


print([day.isoformat() for day in third_fridays(2024)][:4])
print(list(calendar.day_abbr), calendar.month_name[5], calendar.timegm((2024, 1, 1, 0, 0, 0)))
print(sum(date(2024, month, 13).weekday() == 4 for month in range(1, 13)), "Friday the 13th")
