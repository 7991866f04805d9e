# Let time zones be read from a directory of choice.
# mechanism: zoneinfo.reset_tzpath
# stopped by: view
# reason: functions that change the process are left out

import zoneinfo

loot(zoneinfo.reset_tzpath)
