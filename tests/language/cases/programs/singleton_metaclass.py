# Singletons and a checked interface by metaclasses.
class Singleton(type):
    _instances = {}

    def __call__(cls, *args, **kwargs):
        if cls not in cls._instances:
            print("creating", cls.__name__)
            cls._instances[cls] = super().__call__(*args, **kwargs)
        return cls._instances[cls]


class Configuration(metaclass=Singleton):
    def __init__(self, name="default"):
        self.name = name


class Log(metaclass=Singleton):
    lines = []


class Interface(type):
    @classmethod
    def __prepare__(mcs, name, bases, **kwargs):
        return {"made_by": mcs.__name__}

    def __new__(mcs, name, bases, namespace, requires=()):
        missing = [method for method in requires if method not in namespace]
        if missing:
            raise TypeError(f"{name} lacks {', '.join(missing)}")
        namespace["fields"] = sorted(key for key in namespace if not key.startswith("_"))
        return super().__new__(mcs, name, bases, namespace)

    def __init__(cls, name, bases, namespace, **kwargs):
        super().__init__(name, bases, namespace)

    def __len__(cls):
        return len(cls.fields)

    def __iter__(cls):
        return iter(cls.fields)


class Shape(metaclass=Interface, requires=["area"]):
    sides = 0

    def area(self):
        return 0


a, b = Configuration("first"), Configuration("second")
print(a is b, b.name, Log() is Log(), Log() is not a, type(Configuration).__name__)
print(list(Shape), len(Shape), Shape.made_by, Shape().area())
try:

    class Broken(metaclass=Interface, requires=["area", "name"]):
        name = "x"

except TypeError as error:
    print(error)
isinstance(Shape, Interface)
