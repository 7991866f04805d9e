# aim: raise an exception whose class answers with hostile objects when asked for its name
# mechanism: a metaclass that turns __name__ and __qualname__ into properties
# language: run
# reason: the name of an exception's type is read without asking the program
# jail: process
# plain: none (whether the host runs the property is what is tested)

class Meta(type):
    @property
    def __name__(cls):
        raise SystemExit("while showing the error")

    __qualname__ = __module__ = __name__


class Strange(Exception, metaclass=Meta):
    pass


raise Strange("text")
