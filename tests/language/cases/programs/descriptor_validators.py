# Validated fields through descriptors with __set_name__.
from abc import ABC, abstractmethod


class Validated(ABC):
    def __set_name__(self, owner, name):
        self.public, self.private = name, "_" + name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return getattr(instance, self.private)

    def __set__(self, instance, value):
        self.validate(value)
        setattr(instance, self.private, value)

    def __delete__(self, instance):
        raise AttributeError(f"{self.public} cannot be deleted")

    @abstractmethod
    def validate(self, value): ...


class Number(Validated):
    def __init__(self, low=None, high=None):
        self.low, self.high = low, high

    def validate(self, value):
        if not isinstance(value, (int, float)):
            raise TypeError(f"{self.public} must be a number, not {type(value).__name__}")
        if self.low is not None and value < self.low:
            raise ValueError(f"{self.public} must be at least {self.low}")
        if self.high is not None and value > self.high:
            raise ValueError(f"{self.public} must be at most {self.high}")


class OneOf(Validated):
    def __init__(self, *options):
        self.options = options

    def validate(self, value):
        if value not in self.options:
            raise ValueError(f"{self.public} must be one of {self.options}")


class Part:
    weight = Number(low=0)
    rating = Number(0, 10)
    kind = OneOf("wood", "metal")

    def __init__(self, weight, rating, kind):
        self.weight, self.rating, self.kind = weight, rating, kind


part = Part(2.5, 9, "wood")
for name, value in [("weight", -1), ("rating", 11), ("weight", "heavy"), ("kind", "glass"), ("rating", 3)]:
    try:
        setattr(part, name, value)
        print("set", name, getattr(part, name))
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)
try:
    del part.kind
except AttributeError as error:
    print(error)
vars(part), type(Part.weight).__name__
