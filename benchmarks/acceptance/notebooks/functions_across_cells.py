# %%
import math


def area(radius):
    return math.pi * radius**2


# %%
class Circle:
    def __init__(self, radius):
        self.radius = radius

    def __repr__(self):
        return f"Circle({self.radius})"


Circle(2)
# %%
circles = [Circle(r) for r in (1, 2, 3)]
circles
# %%
total = sum(area(circle.radius) for circle in circles)
round(total, 3)
# %%
for circle in circles:
    print(circle, f"{area(circle.radius):.2f}")
# %%
_unused = None
None
# %%
"text with 'quotes'", b"bytes", 1.5, None, True, {1: {2}}
