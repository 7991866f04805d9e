# ExitStack, closing, nullcontext, ContextDecorator and callbacks run in reverse order.
from contextlib import ContextDecorator, ExitStack, closing, nullcontext


class Resource:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        print("open", self.name)
        return self

    def __exit__(self, kind, error, trace):
        print("shut", self.name, kind.__name__ if kind else None)
        return kind is KeyError

    def close(self):
        print("close", self.name)


with ExitStack() as stack:
    names = [stack.enter_context(Resource(n)).name for n in "abc"]
    stack.callback(print, "callback", names)
    raise KeyError("x")
print("after")

with closing(Resource("door")) as door:
    print(door.name)
with nullcontext(7) as seven:
    print(seven)


class traced(ContextDecorator):
    def __enter__(self):
        print("begin")

    def __exit__(self, *details):
        print("end")


@traced()
def add(a, b):
    return a + b


with ExitStack() as stack:
    stack.push(Resource("pushed"))
    kept = stack.pop_all()
print("kept open")
kept.close()
add(2, 3)
