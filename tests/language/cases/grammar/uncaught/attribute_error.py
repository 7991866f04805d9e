# Reading an attribute that does not exist.
class Point:
    x = 1


print(Point().x)
Point().why
