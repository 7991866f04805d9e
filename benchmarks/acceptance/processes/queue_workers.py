import multiprocessing as mp


def worker(tasks, results):
    for number in iter(tasks.get, None):
        results.put((number, number**3))


if __name__ == "__main__":
    tasks, results = mp.Queue(), mp.Queue()
    workers = [mp.Process(target=worker, args=(tasks, results)) for _ in range(2)]
    for process in workers:
        process.start()
    for number in range(6):
        tasks.put(number)
    for _ in workers:
        tasks.put(None)
    found = sorted(results.get(timeout=20) for _ in range(6))
    for process in workers:
        process.join()
    print(found, [process.exitcode for process in workers])
