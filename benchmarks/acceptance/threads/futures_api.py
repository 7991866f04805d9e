from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, TimeoutError, wait
import threading

gate = threading.Event()
with ThreadPoolExecutor(2, thread_name_prefix="job") as pool:
    slow = pool.submit(gate.wait, 10)
    quick = pool.submit(pow, 2, 10)
    done, pending = wait([slow, quick], return_when=FIRST_COMPLETED)
    print([future.result() for future in done], len(pending))
    try:
        slow.result(timeout=0.01)
    except TimeoutError:
        print("not yet")
    name = pool.submit(lambda: threading.current_thread().name).result()
    print(name.rsplit("_", 1)[0])
    gate.set()
    print(slow.result())
called = []
future = Future()
future.add_done_callback(lambda done: called.append(done.exception()))
future.set_exception(KeyError("k"))
print(called, future.done(), future.cancelled())
try:
    future.result()
except KeyError as error:
    print("raised", error)
pool.submit(print)
