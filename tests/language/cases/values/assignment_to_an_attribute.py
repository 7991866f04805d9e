# The value of an assignment to an attribute is what was assigned, though a setter keeps another.
class Rounded:
    @property
    def size(self):
        return self._size

    @size.setter
    def size(self, value):
        self._size = round(value)


box = Rounded()
box.size = 2.7
# ---
box.size
