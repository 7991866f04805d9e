# A class may set its own name fields, module and documentation in its body.
class Thing:
    """Documented."""
    __qualname__ = "Renamed.Thing"
    __module__ = "somewhere"

    def method(self):
        return __name__


print(Thing, Thing.__name__, Thing.__qualname__, Thing.__doc__, Thing.__module__)
print(Thing.method.__qualname__, Thing().method())
Thing.__name__ = "Other"
print(Thing.__name__)
