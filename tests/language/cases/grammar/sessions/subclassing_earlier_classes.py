# Classes of earlier cells can be extended and patched later.
class Base:
    def hello(self):
        return f"hello from {type(self).__name__}"


thing = Base()
# ---
class Child(Base):
    def hello(self):
        return super().hello() + "!"


print(Child().hello())
# ---
Base.extra = lambda self: "patched"
print(thing.extra(), Child().extra())
# ---
class Base:
    pass


isinstance(thing, Base)
