import os
import time
from datetime import datetime, timezone
from pathlib import Path

path = Path("old.txt")
path.write_text("old")
moment = datetime(2020, 5, 17, 12, 30, tzinfo=timezone.utc).timestamp()
os.utime(path, (moment, moment))
print(datetime.fromtimestamp(path.stat().st_mtime, timezone.utc).isoformat())
fresh = Path("fresh.txt")
fresh.write_text("fresh")
print(fresh.stat().st_mtime > path.stat().st_mtime, time.time() - fresh.stat().st_mtime < 3600)
newest = max(Path(".").glob("*.txt"), key=os.path.getmtime)
print(newest)
path.chmod(0o640)
print(oct(path.stat().st_mode & 0o777), os.access(path, os.R_OK))
