# Make code objects from bytes.
# mechanism: import marshal
# stopped by: check
# reason: marshal makes code objects from bytes

import marshal

loot(marshal)
