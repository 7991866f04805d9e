# Decorators of classes and methods are applied, also ones that replace what they decorate.
def add_repr(cls):
    cls.__repr__ = lambda self: f"{cls.__name__}!"
    return cls


def counted(method):
    def wrapper(self, *args):
        wrapper.calls += 1
        return method(self, *args)

    wrapper.calls = 0
    return wrapper


@add_repr
class Machine:
    @counted
    def run(self, n):
        return n + 1

    @staticmethod
    def kind():
        return "static"

    @classmethod
    def build(cls):
        return cls()

    @property
    def state(self):
        return "ready"


@vars
class Names:
    a = 1


m = Machine.build()
print(m.run(1), m.run(2), Machine.run.calls, m.kind(), m.state, m, Names["a"])
