from datetime import date, datetime, timedelta

start = date(2024, 1, 31)
print(start + timedelta(days=30), (date(2025, 1, 1) - start).days, start.isocalendar())
print(start.strftime("%A %d %B %Y, week %W"), start.weekday(), start.replace(year=2023))
moment = datetime(2024, 2, 29, 23, 59, 59, 999999)
print(moment + timedelta(microseconds=1), moment.isoformat(timespec="seconds"))
print(datetime.strptime("03/Mar/2021 14:05", "%d/%b/%Y %H:%M"), datetime.fromisoformat("2024-05-06T07:08:09"))
gap = timedelta(hours=50, minutes=3)
print(gap, gap.total_seconds(), divmod(gap, timedelta(days=1)), gap / 2, -gap)
try:
    date(2023, 2, 29)
except ValueError as error:
    print(error)
try:
    datetime.strptime("soon", "%Y")
except ValueError as error:
    print(error)


def age(born, today):
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


print(age(date(1990, 7, 15), date(2024, 7, 14)), age(date(1990, 7, 15), date(2024, 7, 15)))
