# Names with two leading underscores belong to the class they are written in.
class Account:
    __secret = "class"

    def __init__(self):
        self.__balance = 10

    def __private(self):
        return self.__balance

    def show(self):
        return self.__private(), self.__secret


class Child(Account):
    def __init__(self):
        super().__init__()
        self.__balance = "child's own"


c = Child()
print(c.show())
print(c._Account__balance, c._Child__balance, c._Account__secret)
try:
    c.__balance
except AttributeError as error:
    print(error)
