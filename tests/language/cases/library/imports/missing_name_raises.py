# A name that a module does not have raises ImportError or AttributeError.
try:
    from math import no_such_name
except ImportError as error:
    print(type(error).__name__, str(error).split(" (")[0])
import math

try:
    math.no_such_name
except AttributeError as error:
    print(error)
print(hasattr(math, "pi"), getattr(math, "nothing", 7))
# ---
math.square_root(4)
