# The three kinds of queue give items in three orders.
import queue
from queue import Empty, Full, LifoQueue, PriorityQueue, Queue

first, last, best = Queue(), LifoQueue(), PriorityQueue()
for kind in (first, last, best):
    for item in (2, 3, 1):
        kind.put(item)
print([[kind.get() for _ in range(3)] for kind in (first, last, best)])
small = Queue(maxsize=1)
small.put_nowait("a")
print(small.full(), small.qsize(), small.empty())
try:
    small.put("b", block=False)
except Full:
    print("full")
small.get()
small.task_done()
try:
    small.get_nowait()
except Empty as error:
    print("empty", repr(error))
simple = queue.SimpleQueue()
simple.put(1)
simple.get(timeout=1)
