"""An agent writes a helper module, imports it and uses it."""
import importlib
import sys
from pathlib import Path

Path("geometry.py").write_text(
    '''"""Areas."""
import math

def circle(radius):
    return math.pi * radius ** 2

def square(side):
    return side * side
'''
)
sys.path.insert(0, ".")
importlib.invalidate_caches()
geometry = importlib.import_module("geometry")
print(round(geometry.circle(2), 4), geometry.square(3), geometry.__doc__)
Path("geometry.py").write_text("def square(side):\n    return 'square of size ' + str(side)\n")
importlib.invalidate_caches()
geometry = importlib.reload(geometry)
print(geometry.square(3), hasattr(geometry, "circle"))
