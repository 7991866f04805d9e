# An instance with __call__ is called like a function, found on its type.
class Adder:
    def __init__(self, n):
        self.n = n

    def __call__(self, *args, **kwargs):
        return self.n + sum(args) + sum(kwargs.values())


add = Adder(10)
print(add(), add(1, 2), add(1, x=5), callable(add), list(map(add, [1, 2])))
add.__call__ = lambda: "ignored"
print(add())
try:
    object()()
except TypeError as error:
    print(error)
