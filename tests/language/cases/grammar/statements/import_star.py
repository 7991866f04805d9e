# A star import binds the public names of a module.
from math import *
from operator import *

print(floor(pi), gcd(12, 18))
print(add(2, 3), itemgetter(1)("xyz"))
