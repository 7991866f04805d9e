# Registration, __subclasshook__ and __instancecheck__ decide what counts as an instance.
from abc import ABC


class Quacks(ABC):
    @classmethod
    def __subclasshook__(cls, other):
        return hasattr(other, "quack") or NotImplemented


class Duck:
    def quack(self): ...


class Even(type):
    def __instancecheck__(cls, instance):
        return isinstance(instance, int) and instance % 2 == 0

    def __subclasscheck__(cls, other):
        return other is bool


class EvenNumber(metaclass=Even):
    pass


Quacks.register(float)
print(isinstance(Duck(), Quacks), isinstance(1.5, Quacks), isinstance(1, Quacks))
print(isinstance(4, EvenNumber), isinstance(5, EvenNumber), issubclass(bool, EvenNumber))
