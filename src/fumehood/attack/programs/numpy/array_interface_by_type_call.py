# aim: make an array out of any memory address with a class made from a dictionary
# mechanism: a property under the key __array_interface__
# language: builtins
# reason: an array over a chosen address reads and writes the memory of the process
# jail: process
# plain: loot
# imports: numpy
# limit: native libraries such as numpy can be made to read and write it at will

import numpy

target = b"immutable bytes of the program"


class Meta(type):
    def __getattr__(cls, name):
        raise AttributeError(name)


def interface(self):
    return {"version": 3, "shape": (9,), "typestr": "|u1", "data": (id(target) + 32, False)}


Window = Meta("Window", (), {"__array_inter" + "face__": property(interface)})
numpy.asarray(Window())[:] = list(b"different")
if target.startswith(b"different"):
    loot("mutated: memory was written by its address")
