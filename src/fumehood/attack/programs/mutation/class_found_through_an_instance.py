# aim: change a class of a module that is not authorized, found through an object of one that is
# mechanism: type() of a queue's condition is a class of threading
# language: run
# reason: library classes are shared by every session and by the host
# jail: process
# plain: loot

import queue

type(queue.Queue().not_empty).escaped = True
# --- second executor
import queue

if hasattr(queue.Queue().not_empty, "escaped"):
    loot("mutated: threading.Condition")
