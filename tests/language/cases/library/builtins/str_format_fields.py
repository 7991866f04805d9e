# The format method takes positions, names, attributes and indexes.
class Point:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __format__(self, spec):
        return f"<{self.x}{spec or ','}{self.y}>"


p = Point(1, 2)
d = {"key": "value", "list": [10, 20]}
print("{0.real} {0.imag} {p.x} {p.y} {d[key]} {d[list][1]}".format(5, p=p, d=d))
print("{} {} {}".format(1, "two", [3]), "{1} {0} {1}".format("a", "b"), "{:>6}|{:<6}|{:^6}".format("r", "l", "c"))
print("{0!r} {0!s} {0!a}".format("é"), "{:{width}.{digits}f}".format(3.14159, width=8, digits=2), "{{literal}}".format())
print("{:,} {:+d} {:#x} {:e} {:.1%} {:08.3f} {:b}".format(1234567, 5, 255, 12345.678, 0.256, 3.14159, 5))
print("{:;} {}".format(p, p), "{0[0]}{0[2]}".format("abc"), "{:%}".format(0.5))
for text, arguments in (("{}{}", (1,)), ("{name}", ()), ("{0.missing}", (5,)), ("{0[9]}", ([],)), ("{", ()), ("{:d}", ("x",))):
    try:
        text.format(*arguments)
    except Exception as error:
        print(text, type(error).__name__, error)
"{a[0].x} {b}".format(a=[p], b="end")
