# Read a file the way imports do.
# mechanism: io.open_code
# stopped by: view
# reason: functions that open files are left out

import io

loot(io.open_code(secret_path).read())
