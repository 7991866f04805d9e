# Clocks go forward and a fixed moment is formatted.
import time
from time import gmtime, perf_counter, strftime

before = perf_counter()
time.sleep(0.001)
print(perf_counter() > before, time.monotonic() <= time.monotonic(), time.time() > 1_600_000_000)
moment = gmtime(86400)
print(moment.tm_year, moment.tm_mday, moment[:3], strftime("%Y-%m-%d %H:%M:%S", moment))
print(time.strptime("03 Feb 2021", "%d %b %Y")[:3], time.asctime(gmtime(0)), isinstance(time.time_ns(), int))
strftime("%H", gmtime(3600 * 5))
