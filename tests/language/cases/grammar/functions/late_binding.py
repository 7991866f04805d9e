# A closure reads its variable when called, not when made.
def make():
    functions = []
    for i in range(3):
        def f():
            return i
        functions.append(f)
    i = "changed"
    return functions


print([f() for f in make()])


def uses_later():
    return defined_later()


def defined_later():
    return "found"


print(uses_later())
