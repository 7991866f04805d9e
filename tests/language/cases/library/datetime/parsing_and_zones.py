# Parsing with strptime and fromisoformat, and zones with fixed offsets.
import datetime as dt
from datetime import timezone

parsed = dt.datetime.strptime("17 May 2024 06:07", "%d %B %Y %H:%M")
print(parsed, parsed.strftime("%A %b %d, %I:%M %p"))
paris = timezone(dt.timedelta(hours=2), "CEST")
local = parsed.replace(tzinfo=paris)
print(local, local.tzname(), local.utcoffset(), local.astimezone(timezone.utc))
print(dt.datetime.fromisoformat("2024-05-17T06:07:08+05:30"), dt.datetime.fromtimestamp(0, timezone.utc))
print(local.timestamp(), local == parsed.replace(hour=4, tzinfo=dt.timezone.utc))
try:
    local < parsed
except TypeError as error:
    print(error)
try:
    dt.datetime.strptime("2024-13-01", "%Y-%m-%d")
except ValueError as error:
    print(error)


class Fixed(dt.tzinfo):
    def utcoffset(self, when):
        return dt.timedelta(minutes=-90)

    def dst(self, when):
        return dt.timedelta(0)

    def tzname(self, when):
        return "fixed"


dt.datetime(2024, 1, 1, tzinfo=Fixed()).isoformat()
