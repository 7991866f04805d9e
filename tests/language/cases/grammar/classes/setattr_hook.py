# The hook __setattr__ sees every assignment and hands it on through super() or object.
class Typed:
    def __setattr__(self, name, value):
        if name == "age" and not isinstance(value, int):
            raise TypeError(f"{name} must be int")
        print("set", name)
        super().__setattr__(name, value)

    def __delattr__(self, name):
        print("del", name)
        super().__delattr__(name)


class Frozen:
    def __init__(self, x):
        object.__setattr__(self, "x", x)

    def __setattr__(self, name, value):
        raise AttributeError("frozen")


t = Typed()
t.age = 3
t.age += 1
print(t.age)
del t.age
for attempt in (lambda: setattr(t, "age", "old"), lambda: setattr(Frozen(1), "x", 2)):
    try:
        attempt()
    except (TypeError, AttributeError) as error:
        print(type(error).__name__, error)
print(Frozen(7).x)
