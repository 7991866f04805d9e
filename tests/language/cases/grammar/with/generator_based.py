# A generator-based manager sees the exception at its yield and may handle it.
from contextlib import ExitStack, contextmanager


@contextmanager
def handler(*kinds):
    try:
        yield
    except kinds as error:
        print("handled", repr(error))


with handler(ZeroDivisionError):
    1 / 0
print("goes on")
with ExitStack() as stack:
    for name in "abc":
        stack.callback(print, "callback", name)
    stack.enter_context(handler(KeyError))
    raise KeyError("in stack")
print("end")
