import re
from collections import Counter

LOG = """\
192.168.0.1 - - [10/Oct/2023:13:55:36 +0000] "GET /index.html HTTP/1.1" 200 2326
10.0.0.7 - ann [10/Oct/2023:13:55:40 +0000] "POST /login HTTP/1.1" 302 0
192.168.0.1 - - [10/Oct/2023:13:56:01 +0000] "GET /missing HTTP/1.1" 404 512
broken line
"""
PATTERN = re.compile(
    r"""(?P<host>\S+)\ \S+\ (?P<user>\S+)\ \[(?P<time>[^\]]+)\]\ 
        "(?P<method>[A-Z]+)\ (?P<path>\S+)[^"]*"\ (?P<status>\d{3})\ (?P<size>\d+)""",
    re.VERBOSE,
)
statuses = Counter()
total = 0
for line in LOG.splitlines():
    match = PATTERN.match(line)
    if not match:
        print("skipped:", line)
        continue
    statuses[match["status"]] += 1
    total += int(match["size"])
    print(match.groupdict())
print(dict(statuses), total)
