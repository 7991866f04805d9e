from datetime import date, timedelta
from itertools import islice

HOLIDAYS = {date(2024, 12, 25), date(2024, 12, 26), date(2025, 1, 1)}


def business_days(start):
    day = start
    while True:
        if day.weekday() < 5 and day not in HOLIDAYS:
            yield day
        day += timedelta(days=1)


def add_business_days(start, count):
    return next(islice(business_days(start + timedelta(days=1)), count - 1, None))


print([f"{day:%a %d}" for day in islice(business_days(date(2024, 12, 23)), 6)])
print(add_business_days(date(2024, 12, 24), 5))


def easter(year):
    a, b, c = year % 19, year // 100, year % 100
    d, e, f = b // 4, b % 4, (b + 8) // 25
    h = (19 * a + b - d - (b - f + 1) // 3 + 15) % 30
    l = (32 + 2 * e + 2 * (c // 4) - h - c % 4) % 7
    m = (a + 11 * h + 22 * l) // 451
    month, day = divmod(h + l - 7 * m + 114, 31)
    return date(year, month, day + 1)


print([str(easter(year)) for year in (2023, 2024, 2025)])
