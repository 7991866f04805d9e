# Fractions reduce, compare, mix with other numbers and find near ratios.
from fractions import Fraction
from fractions import Fraction as F

print(Fraction(6, 8), Fraction("0.125"), Fraction("7/3") + 1, F(1, 3) * F(3, 4), F(1, 2) ** 3)
print(F(0.5), F(3.141592653589793).limit_denominator(100), float(F(1, 4)), F(7, 2) // 1, F(7, 2) % 1)
print(sum(F(1, n) for n in range(1, 11)), F(1, 2) < 0.6, F(2, 4) == 0.5, round(F(5, 3), 1), int(F(9, 2)))
print(F(5, 10).numerator, F(5, 10).denominator, -F(1, 2), abs(F(-1, 3)))
try:
    F(1, 0)
except ZeroDivisionError as error:
    print(error)
F(1, 3) + 1
