# The hook __getattr__ is asked only for what was not found.
class Lazy:
    def __init__(self):
        self.known = "known"

    def __getattr__(self, name):
        if name.startswith("no_"):
            raise AttributeError(f"refused {name}")
        print("computing", name)
        value = name.upper()
        setattr(self, name, value)
        return value


lazy = Lazy()
print(lazy.known, lazy.made, lazy.made)
print(hasattr(lazy, "no_thing"), getattr(lazy, "no_thing", "default"))
try:
    lazy.no_way
except AttributeError as error:
    print(error)
