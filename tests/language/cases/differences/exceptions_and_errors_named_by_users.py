# Programs may reuse the names of exceptions and of their own tools.
class ValueError(Exception):
    pass


try:
    raise ValueError("mine")
except ValueError as error:
    print("mine:", error)
try:
    int("x")
except ValueError:
    print("not this one")
except Exception as error:
    print("builtin:", type(error).__name__)
search = answer = result = "user variables"
del ValueError
issubclass(ValueError, Exception), search
