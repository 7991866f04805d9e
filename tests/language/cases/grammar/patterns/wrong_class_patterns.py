# Class patterns complain about too many positions and about things that are no class.
class Plain:
    pass


class Named:
    __match_args__ = ("a",)
    a = 1


not_a_class = 5


def attempt(number, value):
    match number, value:
        case 1, Plain(x): pass
        case 2, Named(x, y): pass
        case 3, not_a_class(): pass
        case 4, Named(x, a=y): pass
        case 5, int(x, y): pass


for number, value in [(1, Plain()), (2, Named()), (3, 5), (4, Named()), (5, 6)]:
    try:
        attempt(number, value)
    except TypeError as error:
        print(error)
