# An object's __del__ runs as soon as its last reference is deleted.
class Resource:
    def __init__(self, name):
        self.name = name

    def __del__(self):
        print("released", self.name)


a = Resource("a")
b = a
del a
print("one reference left")
del b
print("none left")
