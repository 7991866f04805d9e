# Classes and methods can be decorated, and a class may decorate.
class CountCalls:
    def __init__(self, f):
        self.f, self.calls = f, 0

    def __call__(self, *args):
        self.calls += 1
        return self.f(*args)


def register(cls):
    registry[cls.__name__] = cls
    cls.tag = "registered"
    return cls


registry = {}


@register
class Service:
    @staticmethod
    @CountCalls
    def ping(n):
        return n * 2


print(Service.ping(1), Service().ping(2), Service.ping.calls, Service.tag, list(registry))
