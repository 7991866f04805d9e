# aim: recurse through the lookup of attributes, which is C
# mechanism: a __getattr__ that reads a missing attribute
# language: nothing (Python itself counts the depth)
# jail: rlimits, init
# plain: none (Python itself ends it; whether the runner and the host live on is what is tested)
# expect: error RecursionError | fault crash | error AttributeError
# hosts: root
class Asks:
    def __getattr__(self, name):
        return getattr(self, name + "x")

Asks().first
