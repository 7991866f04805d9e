# aim: use the hook that tells a descriptor its name and owner
# mechanism: __set_name__ is given the class
# language: check
# reason: a forbidden name is forbidden on any object
# jail: process
# plain: loot

class Hook:
    def __set_name__(self, owner, name):
        loot(owner.__base__.__subclasses__())


class Holder:
    hook = Hook()
