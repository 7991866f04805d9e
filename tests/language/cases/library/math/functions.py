# The functions and constants of math, cmath and numbers.
import cmath
import math
import numbers
from math import ceil, comb, floor, gcd, inf, isclose, pi, sqrt

print(sqrt(2), floor(-1.5), ceil(1.2), gcd(12, 18, 27), comb(5, 2), round(pi, 5), math.factorial(20))
print(math.prod([1, 2, 3, 4]), math.hypot(3, 4), math.isqrt(99), math.lcm(4, 6), math.perm(5, 2), math.dist([0, 0], [3, 4]))
print(isclose(0.1 + 0.2, 0.3), math.isnan(math.nan), inf > 10**300, math.fsum([0.1] * 10), math.trunc(-2.7))
print(math.log(8, 2), math.log10(1000), math.log2(8), math.degrees(pi), math.copysign(3, -0.0), math.modf(2.5))
print(cmath.sqrt(-4), abs(cmath.exp(1j * pi) + 1) < 1e-9, cmath.polar(1j)[0])
print(isinstance(3, numbers.Integral), isinstance(2.5, numbers.Rational), isinstance(1j, numbers.Number))
for bad in (lambda: sqrt(-1), lambda: math.log(0), lambda: math.factorial(-1), lambda: math.exp(1000)):
    try:
        bad()
    except (ValueError, OverflowError) as error:
        print(type(error).__name__)
math.tau == 2 * math.pi
