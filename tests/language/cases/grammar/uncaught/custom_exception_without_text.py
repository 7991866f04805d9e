# A custom exception that prints its arguments as given.
class Oops(KeyError):
    pass


class Worse(Oops, ValueError):
    """Has two parents."""


print(Worse("a").args)
raise Worse("reason")
