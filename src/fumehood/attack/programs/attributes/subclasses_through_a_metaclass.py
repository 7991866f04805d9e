# aim: define a metaclass and ask it through super for the list of classes
# mechanism: super() of a metaclass answers with type's own methods
# language: check
# reason: __subclasses__ lists every class of the host process, whoever answers
# jail: process
# plain: loot

class Meta(type):
    def every_class(cls):
        return super().__subclasses__


class Seed(metaclass=Meta):
    pass


loot(Seed.every_class())
