import threading

order = []
ready = threading.Event()
barrier = threading.Barrier(3)
condition = threading.Condition()
turn = 0


def waiter(number):
    global turn
    ready.wait(5)
    barrier.wait(5)
    with condition:
        condition.wait_for(lambda: turn == number, 5)
        order.append(number)
        turn += 1
        condition.notify_all()


threads = [threading.Thread(target=waiter, args=(number,)) for number in (2, 0, 1)]
for thread in threads:
    thread.start()
ready.set()
for thread in threads:
    thread.join()
print(order, barrier.n_waiting, ready.is_set())
limit = threading.BoundedSemaphore(2)
print(limit.acquire(blocking=False), limit.acquire(blocking=False), limit.acquire(blocking=False))
limit.release()
limit.release()
try:
    limit.release()
except ValueError as error:
    print(error)
again = threading.RLock()
with again, again:
    print("reentrant")
