# The functions cast, overload, final, NewType, TYPE_CHECKING and others change nothing at run time.
import typing as t

if t.TYPE_CHECKING:
    from decimal import Decimal

UserId = t.NewType("UserId", int)
Json = t.Union[dict, list, str, int, None]
Vector = list[float]


@t.overload
def parse(x: int) -> int: ...
@t.overload
def parse(x: str) -> str: ...
def parse(x):
    return x


@t.final
class Leaf:
    LIMIT: t.Final = 10
    count: t.ClassVar[int] = 0


def walk(numbers: t.Iterable[int]) -> t.Iterator[int]:
    yield from numbers


def chain(self: t.Self = None, *args: t.Any, **kwargs: t.Any) -> t.NoReturn | None:
    return None


print(UserId(5) + 1, t.cast("list[int]", "x"), parse("a"), Leaf.LIMIT, list(walk([1])), chain())
print(UserId.__name__, Vector, Json)
try:
    t.assert_never("x")
except AssertionError as error:
    print(error)
t.get_args(t.Literal[1, 2])
