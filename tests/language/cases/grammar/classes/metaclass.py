# A metaclass makes the class and may change its attributes.
class Plugin(type):
    registry = []

    def __new__(mcls, name, bases, attributes, **kwargs):
        attributes["created_by"] = mcls.__name__
        return super().__new__(mcls, name, bases, attributes)

    def __init__(cls, name, bases, attributes, *, tag=None):
        super().__init__(name, bases, attributes)
        Plugin.registry.append((name, tag))

    def __len__(cls):
        return len(Plugin.registry)


class First(metaclass=Plugin):
    pass


class Second(First, tag="second"):
    pass


print(Plugin.registry, Second.created_by, len(First), type(Second).__name__)
