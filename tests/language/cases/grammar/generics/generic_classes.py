# A generic class can be subscripted and its parameters are visible in its methods.
# python: 3.12+
class Stack[T]:
    def __init__(self) -> None:
        self.items: list[T] = []

    def push(self, item: T) -> "Stack[T]":
        self.items.append(item)
        return self

    def kind(self):
        return T.__name__


class Named[K, V](dict[K, V]):
    pass


print(Stack[int]().push(1).push(2).items, Stack.__type_params__, Stack().kind())
print(Stack[int], Named[str, int](a=1), issubclass(Named, dict))
