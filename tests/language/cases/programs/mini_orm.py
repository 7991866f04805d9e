# A small object mapper with fields, a metaclass and chained queries.
class Field:
    def __init__(self, kind, default=None):
        self.kind, self.default = kind, default

    def __set_name__(self, owner, name):
        self.name = name


class ModelMeta(type):
    def __new__(mcs, name, bases, namespace):
        fields = {key: value for key, value in namespace.items() if isinstance(value, Field)}
        for key in fields:
            namespace.pop(key)
        cls = super().__new__(mcs, name, bases, namespace)
        cls._fields, cls._rows, cls._table = fields, [], name.lower() + "s"
        return cls


class Query:
    def __init__(self, rows):
        self._rows = list(rows)

    def filter(self, **conditions):
        def matches(row):
            for key, wanted in conditions.items():
                name, _, operation = key.partition("__")
                value = getattr(row, name)
                test = {"": value == wanted, "gt": value > wanted if operation == "gt" else False}.get(operation)
                if operation == "in":
                    test = value in wanted
                if not test:
                    return False
            return True

        return Query(filter(matches, self._rows))

    def order_by(self, name):
        return Query(sorted(self._rows, key=lambda r: getattr(r, name.lstrip("-")), reverse=name.startswith("-")))

    def values(self, name):
        return [getattr(row, name) for row in self._rows]

    def __iter__(self):
        return iter(self._rows)

    def __len__(self):
        return len(self._rows)


class Model(metaclass=ModelMeta):
    def __init__(self, **values):
        unknown = set(values) - set(self._fields)
        if unknown:
            raise TypeError(f"unknown fields {sorted(unknown)}")
        for name, field in self._fields.items():
            setattr(self, name, field.kind(values.get(name, field.default)))

    def save(self):
        self._rows.append(self)
        columns = ", ".join(self._fields)
        print(f"INSERT INTO {self._table} ({columns}) VALUES {tuple(getattr(self, n) for n in self._fields)}")
        return self

    @classmethod
    def objects(cls):
        return Query(cls._rows)


class User(Model):
    name = Field(str)
    age = Field(int, default=18)


class Pet(Model):
    kind = Field(str, "cat")


for name, age in [("Ann", 30), ("Bob", "25"), ("Cy", 41)]:
    User(name=name, age=age).save()
User(name="Dee").save()
Pet().save()
print(User.objects().filter(age__gt=20).order_by("-age").values("name"), len(Pet.objects()))
print([u.name for u in User.objects().filter(age__in=(18, 25))], User.objects().filter(name="Ann").values("age"))
try:
    User(nam="x")
except TypeError as error:
    print(error)
len(User.objects())
