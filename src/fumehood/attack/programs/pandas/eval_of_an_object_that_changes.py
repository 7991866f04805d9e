# aim: show one text to the check and another to pandas
# mechanism: eval takes the text of any object
# language: guard
# reason: an expression is an exact string, read once
# jail: process
# plain: loot
# imports: pandas

import pandas


def generator():
    yield


class Changing:
    def __str__(self):
        return "@running.gi_frame"

    __repr__ = __str__


running = generator()
loot(pandas.DataFrame({"a": [1]}).eval(Changing(), engine="python"))
