# aim: use the arguments of __get__ to reach the class of a library object
# mechanism: __get__ is given the instance and its class
# language: check
# reason: a forbidden name is forbidden on any object
# jail: process
# plain: loot

class Reader:
    def __get__(self, instance, owner):
        return owner.__base__.__subclasses__()


class Holder:
    found = Reader()


loot(Holder.found)
