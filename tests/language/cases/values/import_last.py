# An import as the last statement gives None.
x = 1
import math
# ---
x
from math import pi
