import cmath
import math
from fractions import Fraction

print(Fraction(1, 3) + Fraction("0.25"), Fraction(0.1).limit_denominator(100), Fraction(7, 2) // 1)
print(math.comb(10, 3), math.perm(5, 2), math.lcm(4, 6), math.isqrt(99), math.prod([1, 2, 3]), math.factorial(20))
print(math.isclose(0.1 + 0.2, 0.3), math.fsum([0.1] * 10), math.hypot(3, 4), math.degrees(math.pi), math.copysign(1, -0.0))
print(cmath.sqrt(-4), abs(3 + 4j), cmath.polar(1j), (1 + 2j).conjugate())
print(divmod(-7, 3), -7 // 3, math.fmod(-7, 3), math.trunc(-2.5), round(2.5), round(-1.567, 2), int("ff", 16), 7 .bit_length())
print(pow(3, -1, 11), (0.1).as_integer_ratio(), float.hex(0.5), (255).to_bytes(2, "big"), int.from_bytes(b"\x01\x00", "little"))
print(math.nan == math.nan, math.inf > 10**308, 10**400 > math.inf, math.ulp(1.0))


def egyptian(fraction):
    while fraction:
        unit = Fraction(1, math.ceil(1 / fraction))
        yield unit
        fraction -= unit


print([str(unit) for unit in egyptian(Fraction(5, 121))][:3])
try:
    math.sqrt(-1)
except ValueError as error:
    print(error)
print(2**200, len(str(3**1000)))
int("x12")
