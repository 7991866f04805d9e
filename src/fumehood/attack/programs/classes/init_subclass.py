# aim: use the hook that tells a class of its subclasses
# mechanism: __init_subclass__ and a computed name
# language: builtins
# reason: computed names obey the same tables as spelled ones
# jail: process
# plain: loot

class Base:
    def __init_subclass__(cls):
        loot(getattr(object, "__subcl" + "asses__")())


class Derived(Base):
    pass
