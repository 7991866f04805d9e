# The decorators property, classmethod and staticmethod.
class Temperature:
    scale = "C"

    def __init__(self, degrees):
        self.degrees = degrees

    @property
    def degrees(self):
        """The temperature."""
        return self._degrees

    @degrees.setter
    def degrees(self, value):
        if value < -273.15:
            raise ValueError("below absolute zero")
        self._degrees = value

    @degrees.deleter
    def degrees(self):
        print("forgotten")
        del self._degrees

    @property
    def fahrenheit(self):
        return self.degrees * 9 / 5 + 32

    @classmethod
    def from_fahrenheit(cls, value):
        return cls((value - 32) * 5 / 9)

    @staticmethod
    def name():
        return "thermometer"

    kelvin = property(lambda self: self.degrees + 273.15, doc="in kelvin")


t = Temperature.from_fahrenheit(212)
print(t.degrees, t.fahrenheit, Temperature.name(), t.name(), t.kelvin, Temperature.degrees.__doc__)
t.degrees = 20
try:
    t.degrees = -300
except ValueError as error:
    print(error)
try:
    t.fahrenheit = 5
except AttributeError as error:
    print(type(error).__name__)
del t.degrees
hasattr(t, "degrees")
