# Take the module threading out of queue.
# mechanism: an attribute of queue that happens to be a module
# stopped by: view
# reason: a module found inside a module is a view or absent

import queue

loot(queue.threading)
