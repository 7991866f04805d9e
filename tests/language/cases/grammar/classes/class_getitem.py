# A class can be subscripted through __class_getitem__ or its metaclass.
class Vector:
    def __class_getitem__(cls, key):
        return f"{cls.__name__}[{key}]"


class Meta(type):
    def __getitem__(cls, key):
        return cls, key


class Table(metaclass=Meta):
    pass


class Sub(Vector):
    pass


print(Vector[3], Sub[1, 2], Table["k"][1], list[int], dict[str, int])
try:
    int[3]
except TypeError as error:
    print(error)
