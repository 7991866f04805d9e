# A dataclass gets __init__, __repr__, __eq__ and defaults.
from dataclasses import dataclass, field


@dataclass
class Item:
    name: str
    price: float = 1.0
    tags: list = field(default_factory=list)
    secret: str = field(default="hidden", repr=False, compare=False)

    def total(self, quantity=1):
        return self.price * quantity


pen = Item("pen", 2.5)
print(pen, pen == Item("pen", 2.5, [], "other"), pen != Item("ink"))
pen.tags.append("blue")
print(pen.tags, Item("cup").tags, pen.secret, pen.total(quantity=4))
try:
    Item()
except TypeError as error:
    print(str(error).replace("Item.", ""))
try:

    @dataclass
    class Broken:
        values: list = []

except ValueError as error:
    print(error)
pen
