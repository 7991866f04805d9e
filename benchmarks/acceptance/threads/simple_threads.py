import threading

results = {}
lock = threading.Lock()


def square_sum(name, numbers):
    total = sum(number * number for number in numbers)
    with lock:
        results[name] = total


threads = [
    threading.Thread(target=square_sum, args=(f"part{index}", range(index * 100, index * 100 + 100)))
    for index in range(5)
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print({name: results[name] for name in sorted(results)})
print(sum(results.values()) == sum(n * n for n in range(500)))
print(threading.current_thread().name, threading.active_count(), threading.main_thread() is threading.current_thread())
