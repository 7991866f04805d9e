# Look at frames and signatures with inspect.
# mechanism: import inspect
# stopped by: check
# reason: inspect hands out frames and source

import inspect

loot(inspect)
