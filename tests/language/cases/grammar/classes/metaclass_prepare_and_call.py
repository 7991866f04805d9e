# A metaclass may prepare the namespace and decide what a call gives.
class Ordered(type):
    @classmethod
    def __prepare__(mcls, name, bases, **kwargs):
        print("prepare", name, kwargs)
        return {"injected": name.lower()}

    def __new__(mcls, name, bases, attributes, **kwargs):
        return super().__new__(mcls, name, bases, attributes)

    def __init__(cls, name, bases, attributes, **kwargs):
        super().__init__(name, bases, attributes)
        cls.instances = {}

    def __call__(cls, key):
        if key not in cls.instances:
            cls.instances[key] = super().__call__(key)
        return cls.instances[key]


class Thing(metaclass=Ordered, flag=True):
    doubled = injected * 2

    def __init__(self, key):
        print("made", key)


print(Thing.doubled, Thing("a") is Thing("a"), Thing("b") is Thing("a"))
