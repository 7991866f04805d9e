# aim: read the namespace of every function a class body defines
# mechanism: a metaclass that walks the namespace it is given
# language: builtins
# reason: computed names obey the same tables, wherever the object comes from
# jail: process
# plain: loot

class Meta(type):
    def __new__(mcs, name, bases, namespace):
        for value in namespace.values():
            if callable(value):
                loot(getattr(value, "__co" + "de__"))
        return super().__new__(mcs, name, bases, namespace)


class Made(metaclass=Meta):
    def method(self):
        pass
