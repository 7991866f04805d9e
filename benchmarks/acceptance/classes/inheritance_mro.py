class Base:
    def __init__(self, **kwargs):
        self.log = ["Base"]
        if kwargs:
            raise TypeError(f"unexpected {sorted(kwargs)}")

    def describe(self):
        return "base"


class Named(Base):
    def __init__(self, name, **kwargs):
        super().__init__(**kwargs)
        self.name = name
        self.log.append("Named")

    def describe(self):
        return f"{self.name} > {super().describe()}"


class Aged(Base):
    def __init__(self, age=0, **kwargs):
        super().__init__(**kwargs)
        self.age = age
        self.log.append("Aged")

    def describe(self):
        return f"{self.age} > {super().describe()}"


class Person(Named, Aged):
    pass


person = Person(name="Ann", age=30)
print(person.log, person.describe(), [cls.__name__ for cls in Person.mro()])
try:
    Person(name="Bob", height=2)
except TypeError as error:
    print(error)


class CaseInsensitive(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key.lower(), value)

    def __missing__(self, key):
        return self[key.lower()] if key != key.lower() else None


headers = CaseInsensitive()
headers["Content-Type"] = "text"
print(headers["CONTENT-type"], headers["none"], isinstance(headers, dict))


class Celsius(float):
    def __new__(cls, value):
        return super().__new__(cls, round(value, 1))

    def __repr__(self):
        return f"{float(self)}°C"


print(Celsius(21.456), [Celsius(1)], Celsius(3) + 1)
