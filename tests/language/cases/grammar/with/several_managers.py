# Several managers are entered in order and left in reverse, with parentheses too.
from contextlib import contextmanager


@contextmanager
def tag(name):
    print("<", name)
    try:
        yield name.upper()
    finally:
        print(">", name)


with (
    tag("a") as a,
    tag(a + "b") as b,
    tag("c"),
):
    print(a, b)
with tag("x"), tag("y") as (first, *rest):
    print(first, rest)
