# A named zone follows daylight saving time where the zone database is installed.
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

try:
    paris = ZoneInfo("Europe/Paris")
except ZoneInfoNotFoundError:
    print("no zone database")
else:
    winter = datetime(2024, 1, 15, 12, tzinfo=paris)
    summer = winter + timedelta(days=180)
    print(winter.utcoffset(), summer.utcoffset(), summer.tzname(), paris.key)
    print(datetime(2024, 3, 31, 1, 0, tzinfo=ZoneInfo("UTC")).astimezone(paris))
try:
    ZoneInfo("Nowhere/Land")
except ZoneInfoNotFoundError as error:
    print(error)
timedelta(hours=1)
