# Calls through super follow the order of the classes.
class Base:
    def __init__(self, **rest):
        print("Base", rest)

    def who(self):
        return ["Base"]

    @classmethod
    def make(cls, *args):
        return cls(*args)


class Left(Base):
    def __init__(self, left=0, **rest):
        print("Left", left)
        super().__init__(**rest)

    def who(self):
        return ["Left"] + super().who()


class Right(Base):
    def __init__(self, right=0, **rest):
        print("Right", right)
        super(Right, self).__init__(**rest)

    def who(self):
        return ["Right", *super().who()]


class Both(Left, Right):
    def who(self):
        return ["Both"] + super().who()

    @classmethod
    def make(cls, *args):
        made = super().make(*args)
        made.tag = "made"
        return made


class Shouting(str):
    def __new__(cls, text):
        return super().__new__(cls, text.upper() + "!")


both = Both(left=1, right=2)
print(both.who(), Both.make(7).tag, Shouting("hey"), len(Shouting("abc")))
try:
    Both(unknown=1, **{"left": 2}).who(3)
except TypeError as error:
    print(error)
both.who()[-1]
