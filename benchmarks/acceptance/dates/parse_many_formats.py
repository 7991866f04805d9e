from datetime import datetime, timezone
from email.utils import format_datetime, parsedate_to_datetime

FORMATS = ["%Y-%m-%d", "%d.%m.%Y", "%m/%d/%y", "%b %d, %Y", "%Y%m%dT%H%M%S%z"]


def parse(text):
    """Try each known format in turn."""
    for form in FORMATS:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    raise ValueError(f"unknown date: {text!r}")


for text in ("2024-02-29", "29.02.2024", "02/29/24", "Feb 29, 2024", "20240229T101112+0100"):
    print(f"{text:<22}", parse(text).isoformat())
print(parsedate_to_datetime("Thu, 29 Feb 2024 10:11:12 -0500").astimezone(timezone.utc))
print(format_datetime(datetime(2024, 1, 2, tzinfo=timezone.utc), usegmt=True))
parse("yesterday")
