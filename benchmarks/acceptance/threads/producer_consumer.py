import queue
import threading

tasks = queue.Queue(maxsize=3)
done = []


def produce():
    for number in range(10):
        tasks.put(number)
    for _ in range(2):
        tasks.put(None)


def consume():
    while (task := tasks.get()) is not None:
        done.append(task * 10)
        tasks.task_done()
    tasks.task_done()


workers = [threading.Thread(target=consume) for _ in range(2)]
for worker in workers:
    worker.start()
produce()
tasks.join()
for worker in workers:
    worker.join()
print(sorted(done), tasks.empty())
priority = queue.PriorityQueue()
for item in [(3, "low"), (1, "high"), (2, "mid")]:
    priority.put(item)
print([priority.get()[1] for _ in range(3)])
try:
    priority.get_nowait()
except queue.Empty:
    print("empty")
