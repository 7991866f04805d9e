from dataclasses import FrozenInstanceError, InitVar, asdict, astuple, dataclass, field, fields, replace


@dataclass(order=True)
class Version:
    major: int
    minor: int = 0
    tags: list[str] = field(default_factory=list, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    x: float
    y: float
    scale: InitVar[float] = 1.0
    norm: float = field(init=False, repr=False)

    def __post_init__(self, scale):
        object.__setattr__(self, "norm", scale * (self.x**2 + self.y**2) ** 0.5)


print(Version(1, 2, ["x"]) == Version(1, 2), sorted([Version(2), Version(1, 5)]))
point = Point(x=3, y=4, scale=2)
print(point, point.norm, asdict(point), astuple(Version(1)))
print(replace(point, x=0).norm, [f.name for f in fields(Version)])
try:
    point.x = 1
except FrozenInstanceError as error:
    print(error)
try:
    Point(1, 2)
except TypeError as error:
    print(error)
