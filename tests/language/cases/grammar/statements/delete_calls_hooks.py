# Deleting calls __delitem__ and __delattr__, and a slice arrives as a slice object.
class Watched:
    def __delitem__(self, key):
        print("item", key)

    def __delattr__(self, name):
        print("attribute", name)


w = Watched()
del w["k"]
del w[1:2]
del w[::3, ...]
del w.anything
