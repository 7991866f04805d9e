# The functions asdict, astuple, fields, replace and is_dataclass look into dataclasses.
from dataclasses import asdict, astuple, dataclass, field, fields, is_dataclass, replace


@dataclass
class Address:
    street: str
    number: int


@dataclass
class Person:
    name: str
    home: Address
    others: list[Address] = field(default_factory=list, metadata={"plural": True})


ann = Person("Ann", Address("Main", 1), [Address("Side", 2)])
print(asdict(ann))
print(astuple(ann))
print([(f.name, dict(f.metadata)) for f in fields(ann)])
print(is_dataclass(ann), is_dataclass(Person), is_dataclass(5))
moved = replace(ann, home=replace(ann.home, number=3))
print(moved.home, ann.home, moved.others is ann.others)
asdict(moved, dict_factory=lambda pairs: {key.upper(): value for key, value in pairs})
