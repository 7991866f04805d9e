# The metaclass of a class must derive from those of its bases, and may be a function.
class M1(type): pass
class M2(type): pass
class A(metaclass=M1): pass
class B(metaclass=M2): pass


try:
    class C(A, B):
        pass
except TypeError as error:
    print(error)


def as_dictionary(name, bases, attributes):
    return {"name": name, "bases": bases, "keys": [k for k in attributes if not k.startswith("__")]}


class Settings(metaclass=as_dictionary):
    debug = True
    level = 3


print(Settings)
