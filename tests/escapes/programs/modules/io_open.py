# Open a file through io.
# mechanism: io.open
# stopped by: view
# reason: functions that open files are left out

import io

loot(io.open)
