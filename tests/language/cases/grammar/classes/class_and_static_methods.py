# Class methods get the class they were called on, static methods get nothing.
class Date:
    def __init__(self, y, m):
        self.y, self.m = y, m

    @classmethod
    def parse(cls, text):
        return cls(*map(int, text.split("-")))

    @staticmethod
    def valid(m):
        return 1 <= m <= 12

    def __repr__(self):
        return f"{type(self).__name__}({self.y}, {self.m})"


class Special(Date):
    pass


print(Date.parse("2024-05"), Special.parse("2025-06"), Date(1, 2).parse("3-4"), Special.valid(13), Date(1, 2).valid(3))
