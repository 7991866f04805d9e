# A method read from an instance remembers it, and functions set on instances do not bind.
class Greeter:
    def __init__(self, name):
        self.name = name

    def hello(self):
        return f"hello {self.name}"


a, b = Greeter("a"), Greeter("b")
saved = a.hello
a.name = "changed"
print(saved(), Greeter.hello(b))
b.hello = lambda: "own function"
print(b.hello(), a.hello == a.hello, a.hello is a.hello)
Greeter.bye = lambda self: f"bye {self.name}"
print(a.bye())
Greeter.hello = lambda self: "replaced"
print(a.hello(), saved())
