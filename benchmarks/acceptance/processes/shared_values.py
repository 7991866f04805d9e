from multiprocessing import Array, Lock, Process, Value


def deposit(balance, log, lock, index):
    for _ in range(50):
        with lock:
            balance.value += 1
    log[index] = balance.value > 0


if __name__ == "__main__":
    balance, log, lock = Value("i", 0), Array("i", 3), Lock()
    processes = [Process(target=deposit, args=(balance, log, lock, index)) for index in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    print(balance.value, list(log))
