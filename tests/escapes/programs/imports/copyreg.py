# Change how objects are pickled.
# mechanism: import copyreg
# stopped by: check
# reason: copyreg changes how every object of the process is pickled

import copyreg

loot(copyreg)
