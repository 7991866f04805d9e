# Nonlocal finds the nearest enclosing function that binds the name.
x = "global"


def outer():
    x = "outer"

    def middle():
        def inner():
            nonlocal x
            x = "set by inner"

        inner()
        return x

    before = x
    return before, middle(), x


print(outer(), x)
