# Members of an Enum are found by name and value, are iterated and compared by identity.
from enum import Enum


class Color(Enum):
    RED = 1
    GREEN = 2
    CRIMSON = 1

    def describe(self):
        return f"{self.name.lower()} is {self.value}"


print(Color.RED, repr(Color.GREEN), Color(2), Color["RED"])
print(list(Color), len(Color), Color.CRIMSON is Color.RED)
print([member.describe() for member in Color], Color.RED == 1, Color.RED in Color)
print({Color.RED: "stop"}[Color.CRIMSON])
try:
    Color(9)
except ValueError as error:
    print(error)
try:
    Color["BLUE"]
except KeyError as error:
    print("no", error)
try:
    Color.RED = 5
except AttributeError as error:
    print(type(error).__name__)
Color.GREEN
