# Super works in class methods, properties, nested functions and __init__.
class Base:
    @classmethod
    def make(cls, *args):
        return cls(*args)

    @property
    def size(self):
        return 1

    def __init__(self, label="base"):
        self.label = label


class Derived(Base):
    def __init__(self, label="derived"):
        def initialize():
            super(Derived, self).__init__(label + "!")
        initialize()

    @classmethod
    def make(cls, *args):
        return super().make(*args)

    @property
    def size(self):
        return super().size + 10


d = Derived.make("x")
print(d.label, d.size, type(d).__name__)
