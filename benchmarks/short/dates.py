seed = 0
from datetime import date, timedelta

start = date(2000, 1, 1) + timedelta(days=seed)
days = [start + timedelta(days=n) for n in range(4_000)]
fridays = [day for day in days if day.weekday() == 4 and day.day == 13]
months = {}
for day in days:
    months.setdefault((day.year, day.month), []).append(day.isoformat())
(len(fridays), str(fridays[-1]), len(months), max(len(each) for each in months.values()))
