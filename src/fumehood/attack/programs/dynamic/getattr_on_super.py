# aim: read a forbidden attribute of a super object by getattr
# mechanism: getattr(super(...), name)
# language: builtins
# reason: computed names obey the same tables, on super objects too
# jail: process
# plain: loot

class Meta(type):
    def grab(cls):
        return getattr(super(), "__subcl" + "asses__")


class Seed(metaclass=Meta):
    pass


loot(Seed.grab())
