# Names of a class body are not visible in its methods, and the body reads globals first come.
x = "global"


class C:
    before = x
    x = "class"
    after = x

    def method(self):
        return x

    print(before, after, [x for _ in range(1)][0] in ("global", "class"))


def enclosing():
    y = "enclosing"

    class Inner:
        z = y
        y = "inner"
    return Inner.z


print(C().method(), C.x)
try:
    enclosing()
except NameError as error:
    print(type(error).__name__, error)
