# aim: let copy call globals() for the program
# mechanism: copy calls what __reduce_ex__ names, from its own module
# language: builtins
# reason: globals() belongs to the program's namespace, whoever calls it
# jail: process
# plain: loot

import copy


class Carrier:
    def __reduce_ex__(self, protocol):
        return globals, ()


loot(copy.copy(Carrier()))
