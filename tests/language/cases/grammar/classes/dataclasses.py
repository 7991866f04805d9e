# Dataclasses generate initializers, reprs, ordering and frozen instances.
from dataclasses import FrozenInstanceError, asdict, dataclass, field, replace


@dataclass(order=True)
class Item:
    price: float
    name: str = field(default="thing", compare=False)
    tags: list[str] = field(default_factory=list, repr=False)

    def __post_init__(self):
        self.tags.append(self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    x: int = 0


a, b = Item(3.0, "a"), Item(2.5)
print(a, b, a > b, a.tags, asdict(b), Fixed(x=2), replace(Fixed(x=2), x=3), hash(Fixed()) == hash(Fixed()))
try:
    Fixed().x = 1
except FrozenInstanceError as error:
    print(error)
