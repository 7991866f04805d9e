# Leave code behind that runs when the host ends.
# mechanism: import atexit
# stopped by: check
# reason: atexit runs code when the host ends

import atexit

loot(atexit)
