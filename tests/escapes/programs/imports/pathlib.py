# Open files through paths.
# mechanism: import pathlib
# stopped by: check
# reason: pathlib reads and writes files

import pathlib

loot(pathlib)
