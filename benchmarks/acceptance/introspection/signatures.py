import inspect
from typing import get_type_hints


def call(function, **values):
    """Call a function with those values that it takes."""
    parameters = inspect.signature(function).parameters
    return function(**{name: value for name, value in values.items() if name in parameters})


def greet(name: str, punctuation: str = "!") -> str:
    return f"hello {name}{punctuation}"


print(call(greet, name="ann", age=3))
for parameter in inspect.signature(greet).parameters.values():
    print(parameter.name, parameter.kind.description, parameter.default is parameter.empty, parameter.annotation.__name__)
bound = inspect.signature(greet).bind("bob")
bound.apply_defaults()
print(bound.arguments, get_type_hints(greet))
try:
    inspect.signature(greet).bind()
except TypeError as error:
    print(error)
print(inspect.isfunction(greet), inspect.isbuiltin(len), inspect.isgeneratorfunction(greet), inspect.getfullargspec(greet).args)
