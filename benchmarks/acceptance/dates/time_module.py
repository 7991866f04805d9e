import time

epoch = time.gmtime(0)
print(time.strftime("%Y-%m-%d %H:%M:%S", epoch), epoch.tm_wday, epoch.tm_yday)
print(time.strptime("30 Nov 00", "%d %b %y")[:3], time.asctime(epoch))
start = time.perf_counter()
time.sleep(0.02)
elapsed = time.perf_counter() - start
print(0.02 <= elapsed < 10, time.monotonic() > 0, time.process_time() >= 0)
print(time.time() > 1_700_000_000, isinstance(time.time_ns(), int), time.get_clock_info("monotonic").monotonic)


def timed(function):
    def wrapper(*args):
        begin = time.perf_counter()
        result = function(*args)
        return result, time.perf_counter() - begin >= 0
    return wrapper


print(timed(sum)([1, 2, 3]))
import timeit

print(timeit.timeit("x + 1", setup="x = 1", number=1000) > 0, len(timeit.repeat("pass", number=10, repeat=3)))
