# The method __new__ makes the object, and __init__ runs only if it is of that class.
class Singleton:
    instance = None

    def __new__(cls, *args):
        if cls.instance is None:
            cls.instance = super().__new__(cls)
        return cls.instance

    def __init__(self, value):
        self.value = value


class Impostor:
    def __new__(cls):
        return "a string"

    def __init__(self):
        print("never called")


class BadInit:
    def __init__(self):
        return 5


print(Singleton(1) is Singleton(2), Singleton.instance.value, Impostor())
try:
    BadInit()
except TypeError as error:
    print(error)
