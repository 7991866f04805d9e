# Reach the frame of a generator through the context manager made of it.
# mechanism: the gen attribute of a contextmanager object
# stopped by: check
# reason: a frame leads to the variables of every caller

import contextlib


@contextlib.contextmanager
def manager():
    yield


loot(manager().gen.gi_frame)
