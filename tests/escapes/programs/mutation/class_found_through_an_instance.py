# Change a class of a module that is not authorized, found through an object of one that is.
# mechanism: type() of a queue's condition is a class of threading
# stopped by: run
# reason: library classes are shared by every session and by the host

import queue

type(queue.Queue().not_empty).escaped = True
# --- second executor
import queue

if hasattr(queue.Queue().not_empty, "escaped"):
    loot("mutated: threading.Condition")
