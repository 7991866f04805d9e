# Change the host's current directory.
# mechanism: contextlib.chdir
# stopped by: view
# reason: functions that change the process are left out

import contextlib

loot(contextlib.chdir)
