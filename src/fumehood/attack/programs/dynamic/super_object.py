# aim: read a forbidden attribute through a super object
# mechanism: super(Base, obj) answers with attributes of the next class
# language: check
# reason: a forbidden name is forbidden on a super object too
# jail: process
# plain: loot

class Meta(type):
    pass


class Seed(metaclass=Meta):
    pass


loot(super(Meta, Seed).__subclasses__)
