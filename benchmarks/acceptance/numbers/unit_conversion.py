import re
from decimal import Decimal
from enum import Enum


class Unit(Enum):
    MM = Decimal("0.001")
    CM = Decimal("0.01")
    M = Decimal(1)
    KM = Decimal(1000)
    IN = Decimal("0.0254")
    FT = Decimal("0.3048")


class Length:
    def __init__(self, text):
        match = re.fullmatch(r"\s*(-?\d+(?:\.\d+)?)\s*([a-z]+)\s*", text, re.IGNORECASE)
        if not match:
            raise ValueError(f"not a length: {text!r}")
        self.meters = Decimal(match[1]) * Unit[match[2].upper()].value

    def to(self, unit):
        return self.meters / Unit[unit.upper()].value

    def __add__(self, other):
        result = object.__new__(Length)
        result.meters = self.meters + other.meters
        return result

    def __str__(self):
        for unit in (Unit.KM, Unit.M, Unit.CM):
            if abs(self.meters) >= unit.value:
                return f"{self.meters / unit.value:.2f} {unit.name.lower()}"
        return f"{self.meters / Unit.MM.value:g} mm"


print(Length("5 ft").to("cm"), Length("1 km") + Length("250m"), Length("3mm"), Length("2.5 in").to("mm"))
for bad in ("five ft", "3 parsecs"):
    try:
        Length(bad)
    except (ValueError, KeyError) as error:
        print(type(error).__name__, error)
