# Class patterns check the type and match attributes by name.
class Point:
    def __init__(self, x, y):
        self.x, self.y = x, y


class Point3(Point):
    z = 9


def where(p):
    match p:
        case Point(x=0, y=0): return "origin"
        case Point3(z=z, x=x): return f"3d {x} {z}"
        case Point(x=0 as x, y=y): return f"on y axis at {y}"
        case Point(missing=_): return "never"
        case Point(): return "somewhere"
        case _: return "no point"


print([where(p) for p in (Point(0, 0), Point3(1, 2), Point(0, 5), Point(3, 3), (0, 0))])
