from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

utc = datetime(2024, 3, 31, 0, 30, tzinfo=timezone.utc)
berlin, york = ZoneInfo("Europe/Berlin"), ZoneInfo("America/New_York")
for hours in range(3):
    moment = utc + timedelta(hours=hours)
    print(moment.astimezone(berlin).isoformat(), moment.astimezone(york).strftime("%H:%M %Z"))
ambiguous = datetime(2024, 10, 27, 2, 30, tzinfo=berlin)
print(ambiguous.utcoffset(), ambiguous.replace(fold=1).utcoffset(), ambiguous.tzname())
meeting = datetime(2024, 7, 1, 9, 0, tzinfo=ZoneInfo("Asia/Tokyo"))
print(meeting.astimezone(ZoneInfo("Australia/Sydney")), int(meeting.timestamp()))
print(datetime.fromtimestamp(0, timezone(timedelta(hours=-3, minutes=-30))))
try:
    ZoneInfo("Mars/Olympus")
except ZoneInfoNotFoundError as error:
    print(error)
try:
    utc < datetime(2024, 1, 1)
except TypeError as error:
    print(error)
