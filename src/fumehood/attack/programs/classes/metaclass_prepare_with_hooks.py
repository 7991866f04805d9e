# aim: watch which names a class body looks up and hand out others
# mechanism: a mapping from __prepare__ with __getitem__ of the program's
# language: run
# reason: the builtins behind a class body are the guarded ones
# jail: process
# plain: loot

class Spy(dict):
    def __getitem__(self, name):
        if name == "loot":
            raise KeyError(name)
        return dict.__getitem__(self, name)


class Meta(type):
    @classmethod
    def __prepare__(mcs, name, bases):
        return Spy()


class Made(metaclass=Meta):
    loot(open)
