# Built-in types can be subclassed and keep their behaviour.
class Celsius(float):
    def __new__(cls, value):
        return super().__new__(cls, round(value, 1))

    def __repr__(self):
        return f"{float(self)}°"


class Defaults(dict):
    def __missing__(self, key):
        self[key] = key * 2
        return self[key]


class Upper(str):
    def __new__(cls, text):
        return super().__new__(cls, text.upper())


d = Defaults(a="set")
print(Celsius(21.456), Celsius(20) + 1, d["a"], d["b"], d, Upper("abc"), Upper("x") == "X")
print(sorted([Celsius(3), Celsius(1)]), type(Upper("a") + "b").__name__)
