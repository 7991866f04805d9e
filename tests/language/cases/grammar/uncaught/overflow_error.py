# A float result that is too large.
import math

print(math.exp(1))
math.exp(1000)
