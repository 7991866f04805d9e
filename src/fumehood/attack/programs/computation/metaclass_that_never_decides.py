# aim: hang the interpreter in a check of types that it makes by itself
# mechanism: an __instancecheck__ that loops, met by except
# language: nothing (any program may loop)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
class Never(type):
    def __instancecheck__(cls, thing):
        while True:
            pass

class Kind(metaclass=Never):
    pass

isinstance(1, Kind)
