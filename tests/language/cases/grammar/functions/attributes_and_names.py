# Functions are objects with a name, a qualified name and attributes of their own.
def outer():
    def inner():
        pass
    return inner


class C:
    def method(self):
        pass


outer.calls = 3
outer.calls += 1
print(outer.__name__, outer().__qualname__, C.method.__qualname__, (lambda: 0).__qualname__)
print(outer.calls, callable(outer), hasattr(outer, "missing"))
outer.__name__ = "renamed"
print(outer.__name__)
del outer.calls
print(hasattr(outer, "calls"))
