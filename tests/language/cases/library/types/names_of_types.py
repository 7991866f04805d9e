# The names of types serve for isinstance.
import types
from types import GeneratorType, NoneType, UnionType


def generator():
    yield 1


async def coroutine():
    pass


waiting = coroutine()
print(isinstance(generator(), GeneratorType), isinstance(None, NoneType), isinstance(int | str, UnionType))
print(isinstance(waiting, types.CoroutineType), isinstance(generator, types.FunctionType), isinstance(len, types.BuiltinFunctionType))
waiting.close()
Point = types.new_class("Point", (), {}, lambda namespace: namespace.update(x=5))
print(Point.x, Point.__name__, isinstance(list[int], types.GenericAlias))


class Speaker:
    pass


s = Speaker()
s.name = "Ann"
s.speak = types.MethodType(lambda self, text: f"{self.name}: {text}", s)
s.speak("hi")
