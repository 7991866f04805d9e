# Start threads through the C module.
# mechanism: import _thread
# stopped by: check
# reason: _thread starts threads that outlive a cell

import _thread

loot(_thread)
