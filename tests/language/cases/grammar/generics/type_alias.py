# A type statement makes a lazy alias, which may refer to itself.
# python: 3.12+
type Number = int | float
type Tree[T] = T | list[Tree[T]]
type Late = NotDefinedYet

print(Number, Number.__name__, Number.__value__)
print(Tree.__type_params__, Tree[int])
try:
    Late.__value__
except NameError as error:
    print(error)
NotDefinedYet = str
print(Late.__value__)
type = 5
print(type)
