# Working days, ages and month ends computed from fixed dates.
import calendar
from datetime import date, datetime, timedelta


def working_days(start, end, holidays=frozenset()):
    days = (start + timedelta(n) for n in range((end - start).days + 1))
    return sum(day.weekday() < 5 and day not in holidays for day in days)


def age(born, today):
    return today.year - born.year - ((today.month, today.day) < (born.month, born.day))


def add_months(day, months):
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


print(working_days(date(2024, 12, 20), date(2025, 1, 3), {date(2024, 12, 25), date(2025, 1, 1)}))
print(age(date(2000, 2, 29), date(2024, 2, 28)), age(date(2000, 2, 29), date(2024, 2, 29)))
print([str(add_months(date(2024, 1, 31), n)) for n in (1, 2, 13, -2)])
events = sorted(datetime.strptime(t, "%H:%M") for t in ("14:30", "09:05", "23:59"))
print([f"{a:%H:%M}-{b:%H:%M} {(b - a).seconds // 60}min" for a, b in zip(events, events[1:])])
date(2024, 7, 4).strftime("%A, %d %B %Y")
