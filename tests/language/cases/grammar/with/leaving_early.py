# Return, break and continue leave a with block through __exit__.
class Trace:
    def __init__(self, name):
        self.name = name

    def __enter__(self):
        return self

    def __exit__(self, *details):
        print("left", self.name, details[0])


def f():
    with Trace("return"):
        return "value"


print(f())
for n in range(3):
    with Trace(n):
        if n == 0:
            continue
        break
