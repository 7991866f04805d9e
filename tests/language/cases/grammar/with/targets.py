# The target of a with statement may unpack, or store into attributes and items.
from contextlib import nullcontext


class Box:
    pass


box, table = Box(), {}
with nullcontext((1, [2, 3])) as (a, [b, *c]):
    print(a, b, c)
with nullcontext("attr") as box.value, nullcontext("item") as table["k"]:
    print(box.value, table)
with nullcontext(range(3)) as [*digits], nullcontext(digits) as alias:
    print(digits, alias is digits)
