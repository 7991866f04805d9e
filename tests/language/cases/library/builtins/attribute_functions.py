# The functions getattr, setattr, hasattr and delattr with names known only at run time.
class Box:
    kind = "box"


box = Box()
for name, value in {"width": 3, "height": 4}.items():
    setattr(box, name, value)
print(box.width, getattr(box, "height"), getattr(box, "depth", "none"), hasattr(box, "width"))
delattr(box, "width")
print(hasattr(box, "width"), getattr(Box, "kind"), getattr("abc", "upper")())
setattr(Box, "area", lambda self: self.height**2)
print(box.area(), getattr(box, "ar" + "ea")())
names = [name for name in ("kind", "height", "weight") if hasattr(box, name)]
try:
    getattr(box, "missing")
except AttributeError as error:
    print(error)
try:
    delattr(box, "missing")
except AttributeError as error:
    print(type(error).__name__)
names
