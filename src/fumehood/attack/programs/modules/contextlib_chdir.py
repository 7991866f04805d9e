# aim: change the host's current directory
# mechanism: contextlib.chdir
# language: view
# reason: functions that change the process are left out
# jail: process
# plain: loot

import contextlib

loot(contextlib.chdir)
