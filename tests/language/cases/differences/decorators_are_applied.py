# Decorators of functions are applied, from the nearest outwards.
def shout(function):
    print("decorating", function.__name__)

    def wrapper(*args):
        return function(*args).upper()

    return wrapper


def times(n):
    print("factory", n)

    def decorate(function):
        return lambda *args: function(*args) * n

    return decorate


@times(2)
@shout
def greet(name):
    return f"hi {name}. "


class Registry(dict):
    def add(self, name):
        def keep(function):
            self[name] = function
            return function

        return keep


registry = Registry()


@registry.add("double")
def double(n):
    return n * 2


@lambda f: f(5)
def twenty_five(n):
    return n * n


print(greet("ann"), registry["double"](4), twenty_five)
greet("bo")
