# The hook __getattribute__ is asked for everything and falls back to __getattr__.
class Traced:
    value = 5

    def method(self):
        return "called"

    def __getattribute__(self, name):
        if name == "secret":
            raise AttributeError("not for you")
        found = super().__getattribute__(name)
        print("read", name)
        return found

    def __getattr__(self, name):
        return f"fallback for {name}"


t = Traced()
print(t.value, t.method())
print(t.secret)
print(t.absent)
print(object.__getattribute__(t, "value"))
