import queue
import threading
from concurrent.futures import ProcessPoolExecutor
from multiprocessing.dummy import Pool as ThreadPool


def heavy(n):
    return sum(i * i for i in range(n))


def collect(pool, jobs, out):
    for job in jobs:
        out.put((job, pool.submit(heavy, job).result()))


if __name__ == "__main__":
    out = queue.Queue()
    with ProcessPoolExecutor(2) as pool:
        threads = [threading.Thread(target=collect, args=(pool, jobs, out)) for jobs in ([10, 20], [30])]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
    print(sorted(out.get() for _ in range(3)))
    with ThreadPool(3) as threads:
        print(threads.map(heavy, [1, 2, 3]))
