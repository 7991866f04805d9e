import threading, queue, time, random, unittest
from queue import Queue, Empty, PriorityQueue
q, out, lock = Queue(), [], threading.Lock()
def w():
    while True:
        x = q.get()
        if x is None: break
        with lock: out.append(x * x)
        q.task_done()
ts = [threading.Thread(target=w, name=f"w{i}") for i in range(4)]
[t.start() for t in ts]; [q.put(i) for i in range(20)]; q.join(); [q.put(None) for _ in ts]; [t.join() for t in ts]
print(sorted(out), threading.active_count(), threading.current_thread().name)
e = threading.Event(); b = threading.Barrier(2); s = threading.Semaphore(2)
threading.Thread(target=lambda: (time.sleep(.05), e.set())).start(); print(e.wait(2))
try: q.get_nowait()
except Empty: print("empty")
