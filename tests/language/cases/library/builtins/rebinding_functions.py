# Functions and classes may have the names of builtins, and wrap the old ones.
original_print = print
lines = []


def print(*args, **kwargs):
    lines.append(args)
    original_print("[log]", *args, **kwargs)


print("a", 1)
print("b", end="!\n")
del print
print("plain", lines)


def len(thing):
    return 42


class object:
    pass


class set:
    def __init__(self, items):
        self.items = sorted(items)


print(len("abc"), object().__doc__, set("ba").items)
# ---
def use():
    return len([])


first = use()
del len, object, set
first, use(), set()
