# aim: open a file through io
# mechanism: io.open
# language: view
# reason: functions that open files are left out
# jail: process
# plain: loot

import io

loot(io.open)
