from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
import os


class BadInput(Exception):
    def __init__(self, value):
        super().__init__(value)
        self.value = value


def check(value):
    if value < 0:
        raise BadInput(value)
    if value > 100:
        os._exit(3)
    return value


if __name__ == "__main__":
    with ProcessPoolExecutor(2) as pool:
        good, bad = pool.submit(check, 5), pool.submit(check, -5)
        print(good.result(), type(bad.exception()).__name__, bad.exception().value)
    with ProcessPoolExecutor(1) as pool:
        try:
            pool.submit(check, 1000).result()
        except BrokenProcessPool:
            print("a worker died")
