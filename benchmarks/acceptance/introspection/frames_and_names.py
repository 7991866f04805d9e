import inspect
import sys


def who():
    frame = inspect.currentframe()
    caller = frame.f_back
    return frame.f_code.co_name, caller.f_code.co_name, sorted(caller.f_locals)[:2]


def outer():
    alpha, beta = 1, 2
    return who()


print(outer())
print([info.function for info in inspect.stack()][:1], sys._getframe().f_code.co_name)
print(__name__, __doc__, sys.modules["__main__"].outer is outer, sys.modules[__name__].__name__)
print(outer.__code__.co_varnames, outer.__module__, outer.__qualname__)
print(sorted(name for name in dir() if not name.startswith("_")))
print([name for name, _ in inspect.getmembers(type("T", (), {"x": 1, "f": who}), inspect.isfunction)])
