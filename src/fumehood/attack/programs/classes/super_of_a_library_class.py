# aim: reach the raw attribute primitive of type through a metaclass
# mechanism: super().__getattribute__ in a metaclass method
# language: builtins
# reason: a raw primitive reads any attribute by computed name
# jail: process
# plain: loot

class Meta(type):
    def __getattribute__(cls, name):
        return super().__getattribute__(name)

    def read(cls, name):
        return cls.__getattribute__(name)


class Seed(metaclass=Meta):
    pass


loot(Meta.__getattribute__(Seed, "__subcl" + "asses__"))
