# aim: let time zones be read from a directory of choice
# mechanism: zoneinfo.reset_tzpath
# language: view
# reason: functions that change the process are left out
# jail: process
# plain: loot

import zoneinfo

loot(zoneinfo.reset_tzpath)
