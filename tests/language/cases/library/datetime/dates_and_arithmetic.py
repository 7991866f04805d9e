# Dates, times and durations are built, formatted, compared and added.
from datetime import date, datetime, time, timedelta

day = date(2024, 2, 28)
print(day + timedelta(days=2), day.weekday(), day.isoweekday(), day.isocalendar())
print(day.replace(year=2023), day.strftime("%d/%m/%y %j"), date.fromisoformat("2020-01-31"))
moment = datetime(2024, 3, 10, 14, 30, 5, 250)
print(moment, moment.isoformat(timespec="minutes"), repr(moment.time()))
print(moment - datetime(2024, 1, 1), (moment - datetime(2024, 1, 1)).total_seconds())
print(f"{moment:%Y-%m-%d %H:%M}", moment.date() > day, datetime.combine(day, time(9)))
print(timedelta(hours=25, minutes=-30), timedelta(days=-1, seconds=5), timedelta(1) / timedelta(hours=6))
print(divmod(timedelta(minutes=100), timedelta(minutes=45)), abs(timedelta(-3)), timedelta(1) * 2.5)
print(date.min, date.max, (date(2025, 1, 1) - date(2024, 1, 1)).days, day.toordinal())
try:
    date(2023, 2, 29)
except ValueError as error:
    print(error)
max(day, date(2024, 1, 1))
