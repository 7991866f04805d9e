# aim: name a file outside the time zone directories by its key
# mechanism: ZoneInfo with a path as key
# language: run
# reason: the library refuses keys that leave its directories; the file is not shown
# jail: mount namespace, landlock
# plain: none (the library refuses it as well)

import zoneinfo

try:
    loot(zoneinfo.ZoneInfo('../../../../../..' + secret_path))
except Exception as error:
    loot(str(error))
