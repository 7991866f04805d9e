class Typed:
    """A checked attribute."""

    def __init__(self, kind, *, minimum=None):
        self.kind, self.minimum = kind, minimum

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, instance, owner=None):
        if instance is None:
            return self
        return instance.__dict__[self.name]

    def __set__(self, instance, value):
        if not isinstance(value, self.kind):
            raise TypeError(f"{self.name} must be {self.kind.__name__}, not {type(value).__name__}")
        if self.minimum is not None and value < self.minimum:
            raise ValueError(f"{self.name} must be at least {self.minimum}")
        instance.__dict__[self.name] = value


class Product:
    name = Typed(str)
    price = Typed((float), minimum=0)

    def __init__(self, name, price):
        self.name, self.price = name, price


tea = Product("tea", 2.5)
print(vars(tea), Product.price.minimum)
for bad in (lambda: Product(1, 2.0), lambda: Product("x", -1.0)):
    try:
        bad()
    except (TypeError, ValueError) as error:
        print(type(error).__name__, error)


class Lazy:
    def __getattr__(self, name):
        print("computing", name)
        value = name * 2
        setattr(self, name, value)
        return value


lazy = Lazy()
print(lazy.ab, lazy.ab, hasattr(lazy, "zz"))
