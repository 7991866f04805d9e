# A comparison tries the reflected method and then identity.
class Left:
    def __lt__(self, other):
        print("Left.__lt__")
        return NotImplemented


class Right:
    def __gt__(self, other):
        print("Right.__gt__")
        return "compared"


print(Left() < Right())
try:
    Left() < Left()
except TypeError as error:
    print(error)
print(Left() == Left())
