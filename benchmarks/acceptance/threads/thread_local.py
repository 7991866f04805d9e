import contextvars
import threading
from concurrent.futures import ThreadPoolExecutor

local = threading.local()
local.name = "main"
request = contextvars.ContextVar("request", default="none")
request.set("outer")


def inside(name):
    before = getattr(local, "name", "unset")
    local.name = name
    return before, local.name, request.get()


with ThreadPoolExecutor(1) as pool:
    print(pool.submit(inside, "worker").result())
    context = contextvars.copy_context()
    print(pool.submit(context.run, inside, "again").result())
print(local.name)
timer_fired = threading.Event()
timer = threading.Timer(0.01, timer_fired.set)
timer.start()
print(timer_fired.wait(5))
cancelled = threading.Timer(60, print, ["never"])
cancelled.start()
cancelled.cancel()
cancelled.join()
print("cancelled", cancelled.is_alive())
