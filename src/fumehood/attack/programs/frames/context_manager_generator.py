# aim: reach the frame of a generator through the context manager made of it
# mechanism: the gen attribute of a contextmanager object
# language: check
# reason: a frame leads to the variables of every caller
# jail: process
# plain: loot

import contextlib


@contextlib.contextmanager
def manager():
    yield


loot(manager().gen.gi_frame)
