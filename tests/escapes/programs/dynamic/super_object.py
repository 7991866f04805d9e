# Read a forbidden attribute through a super object.
# mechanism: super(Base, obj) answers with attributes of the next class
# stopped by: check
# reason: a forbidden name is forbidden on a super object too

class Meta(type):
    pass


class Seed(metaclass=Meta):
    pass


loot(super(Meta, Seed).__subclasses__)
