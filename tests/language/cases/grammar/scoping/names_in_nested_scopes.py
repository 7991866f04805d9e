# Each function sees its own names, then enclosing ones, globals and built-ins.
x = "global"


def outer():
    x = "outer"

    def reads():
        return x

    def shadows():
        x = "inner"
        return x

    def uses_global():
        global x
        return x

    class Body:
        x = "class"

        def method(self):
            return x

    return reads(), shadows(), uses_global(), Body().method(), Body.x


print(outer(), x)
