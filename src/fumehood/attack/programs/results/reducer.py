# aim: have the host call a function when it reads the value
# mechanism: __reduce__ and __reduce_ex__ that name os.system
# language: nothing (a class may define how it is saved)
# jail: wire
# plain: none (in a plain process a value goes nowhere)
# expect: held
# hosts: root
import os

class Value:
    def __reduce__(self):
        return (os.system, ("true",))
    def __reduce_ex__(self, protocol):
        return self.__reduce__()

kept = Value()
[kept, {"a": kept}]
# ---
"held: the host is still there"
