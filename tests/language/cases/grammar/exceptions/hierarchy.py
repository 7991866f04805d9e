# A handler catches subclasses, and the first that matches wins.
class Base(Exception): pass
class Child(Base): pass
class Mixed(Child, KeyError): pass


def which(kind):
    try:
        raise kind("x")
    except Child:
        return "Child"
    except Base:
        return "Base"
    except LookupError:
        return "LookupError"


print([which(kind) for kind in (Base, Child, Mixed, KeyError, IndexError)])
print(issubclass(Mixed, LookupError), issubclass(KeyboardInterrupt, Exception), issubclass(ExceptionGroup, Exception))
