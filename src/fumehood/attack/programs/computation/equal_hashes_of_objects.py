# aim: make a set of a few thousand objects take hours
# mechanism: a class whose objects are different and hash alike
# language: nothing (a class may define its hash)
# jail: clock
# plain: hangs
# expect: fault timeout
# limits: cell_seconds=0.5
# hosts: root
class Alike:
    def __hash__(self):
        return 1

    def __eq__(self, other):
        return self is other

{Alike() for _ in range(50_000)} and None
