# needs: pytz
from datetime import datetime, timedelta, timezone
import pytz, time, calendar, random
from dateutil import parser, tz, relativedelta
from dateutil.parser import parse
from zoneinfo import ZoneInfo
d = pytz.timezone("America/New_York").localize(datetime(2024, 3, 10, 1, 30)); print(d.astimezone(pytz.UTC), d + timedelta(hours=1))
print(parse("Oct 11, 1984 17:02:38").isoformat(), parser.parse("2020-02-30", fuzzy=True) if 0 else "", relativedelta.relativedelta(datetime(2024, 3, 1), datetime(2020, 2, 29)))
print(datetime(2024, 1, 1, tzinfo=tz.gettz("Europe/Berlin")).isoformat(), tz.tzlocal().utcoffset(datetime.now()), len(pytz.all_timezones) > 400)
print(datetime(2024, 1, 1, tzinfo=ZoneInfo("Asia/Tokyo")).utcoffset(), time.tzname, time.localtime(0).tm_hour, datetime.fromtimestamp(0).isoformat())
import zoneinfo; print(len(zoneinfo.available_timezones()) > 400)
