# %%
import threading
from concurrent.futures import ThreadPoolExecutor

pool = ThreadPoolExecutor(2)
future = pool.submit(sum, range(10))
# %%
future.result()
# %%
def numbers():
    yield 1
    yield 2


stream = numbers()
next(stream)
# %%
list(stream)
# %%
pool.shutdown()
counter = iter(range(3))
next(counter), next(counter)
# %%
lock = threading.Lock()
with lock:
    inside = lock.locked()
inside, lock.locked()
