# %%
from datetime import date, datetime, timedelta
from decimal import Decimal
from fractions import Fraction

date(2024, 2, 29)
# %%
datetime(2024, 1, 1, 12) - datetime(2023, 12, 25)
# %%
[Decimal("1.10"), Fraction(2, 6), 3 + 4j, range(3), slice(1, 2)]
# %%
from collections import namedtuple

Point = namedtuple("Point", "x y")
Point(1, 2)
# %%
from dataclasses import dataclass


@dataclass
class Order:
    item: str
    due: date


Order("tea", date(2024, 3, 1) + timedelta(days=2))
# %%
lambda: None
None
