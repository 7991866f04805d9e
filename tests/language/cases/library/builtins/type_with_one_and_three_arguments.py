# The type function tells a type or makes a new class.
print(type(1), type("a").__name__, type(None), type(type(3)) is type, type([]) is list)
Dog = type("Dog", (), {"sound": "woof", "speak": lambda self: self.sound * 2})
print(Dog.__name__, Dog().speak())
Puppy = type("Puppy", (Dog,), {"__init__": lambda self, name: setattr(self, "name", name)})
print(Puppy("Rex").name, Puppy("Rex").sound, issubclass(Puppy, Dog), repr(Puppy))
classes = {name: type(name, (Exception,), {}) for name in ("FirstError", "SecondError")}
try:
    raise classes["SecondError"]("made")
except classes["FirstError"]:
    print("first")
except Exception as error:
    print(type(error).__name__, error)
try:
    type("Bad", (int, str), {})
except TypeError as error:
    print(type(error).__name__)
type(Puppy("x")) is Puppy
