# Wrap a file descriptor of the host.
# mechanism: open() with a number, through io.TextIOWrapper
# stopped by: view
# reason: functions that open files are left out

import io

loot(io.TextIOWrapper(io.FileIO(1, 'w', closefd=False)))
