# An object in the list of bases may stand in for others through __mro_entries__.
class Plugin:
    def __init__(self, *classes):
        self.classes = classes

    def __mro_entries__(self, bases):
        print("resolving", len(bases))
        return self.classes


class Base:
    greeting = "from base"


class Made(Plugin(Base)):
    pass


print(Made.greeting, issubclass(Made, Base))
