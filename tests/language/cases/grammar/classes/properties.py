# Properties compute, validate and delete, and can be extended in a subclass.
class Celsius:
    def __init__(self, degrees):
        self.degrees = degrees

    @property
    def degrees(self):
        """Degrees."""
        return self._degrees

    @degrees.setter
    def degrees(self, value):
        if value < -273.15:
            raise ValueError(f"too cold: {value}")
        self._degrees = value

    @degrees.deleter
    def degrees(self):
        print("deleted")
        del self._degrees


class Loud(Celsius):
    @Celsius.degrees.getter
    def degrees(self):
        return f"{self._degrees}!"


c = Loud(20)
c.degrees = 25
print(c.degrees, Celsius.degrees.__doc__)
del c.degrees
try:
    Celsius(-300)
except ValueError as error:
    print(error)
