# aim: ask for the exception that the host is handling from inside a generator and a finalizer
# mechanism: generators and finalizers run with the exception state of whoever drives them
# language: run
# reason: what the host is handling is not for the code it runs
# jail: process
# plain: loot

import sys


def steps():
    yield sys.exc_info()[1]


class Late:
    def __del__(self):
        loot(getattr(sys.exc_info()[1], "args", None))


loot(getattr(next(steps()), "args", None))
Late()
