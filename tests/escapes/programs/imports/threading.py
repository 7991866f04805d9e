# Start threads that outlive the cell.
# mechanism: import threading
# stopped by: check
# reason: threading starts threads that outlive a cell

import threading

loot(threading)
