# aim: have singledispatch evaluate a text that is not there at first
# mechanism: __annotations__ is empty when it is first read
# language: builtins
# reason: annotation strings are evaluated like cells
# jail: process
# plain: loot

import functools


class Changing:
    reads = 0

    def __call__(self, x):
        pass

    def __getattr__(self, name):
        if name != "__annotations__":
            raise AttributeError(name)
        Changing.reads += 1
        return {"x": "open"} if Changing.reads > LATER else {}


@functools.singledispatch
def function(x):
    pass


for LATER in range(4):
    Changing.reads = 0
    try:
        function.register(Changing())
    except TypeError as error:
        if "<built-in function open>" in str(error):
            loot("mutated: a text was evaluated with the real builtins")
