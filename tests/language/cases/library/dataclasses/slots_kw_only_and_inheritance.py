# Slots, keyword-only fields and inheritance of dataclasses.
from dataclasses import KW_ONLY, dataclass


@dataclass(slots=True)
class Small:
    a: int
    b: int = 2


@dataclass
class Options:
    path: str
    _: KW_ONLY
    verbose: bool = False
    depth: int = 1


@dataclass(kw_only=True)
class Deep(Options):
    name: str = "deep"


small = Small(1)
try:
    small.c = 3
except AttributeError as error:
    print(type(error).__name__)
print(small, Options("x", verbose=True))
try:
    Options("x", True)
except TypeError as error:
    print(type(error).__name__)
print(Deep("p", depth=3, name="n"))
match Options("q", depth=7):
    case Options(path, depth=depth):
        print(path, depth)
Deep("z")
