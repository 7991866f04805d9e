# Read lines of any file.
# mechanism: import linecache
# stopped by: check
# reason: linecache reads any file

import linecache

loot(linecache)
