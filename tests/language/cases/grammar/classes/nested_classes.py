# Classes nest in classes and functions and know their qualified names.
class Outer:
    class Inner:
        class Deep:
            value = 1

        def make(self):
            return Outer.Inner.Deep()

    alias = Inner


def factory(base):
    class Local(base):
        def describe(self):
            return f"{type(self).__name__} of {base.__name__}"
    return Local


print(Outer.Inner.Deep.__qualname__, Outer.alias().make().value, factory(Outer).__qualname__)
print(factory(Outer)().describe(), factory(Outer) is factory(Outer))
