# aim: catch the function that numpy passes to an overriding class
# mechanism: __array_function__ is given the public function
# language: builtins
# reason: what the hook is given leads nowhere
# jail: process
# plain: loot
# imports: numpy

import numpy


class Mine:
    def __array_function__(self, function, types, args, kwargs):
        loot(getattr(function, "__wrap" + "ped__").__globals__)
        return 0


numpy.mean(Mine())
