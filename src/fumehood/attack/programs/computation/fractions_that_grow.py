# aim: double the digits of a fraction with every step
# mechanism: fractions squared and added again and again
# language: nothing (any program may count)
# jail: clock
# plain: hangs
# expect: fault timeout | fault memory | error MemoryError
# limits: cell_seconds=0.5
# hosts: root
from fractions import Fraction
x = Fraction(3, 7)
for _ in range(60):
    x = x * x + Fraction(1, 3)
