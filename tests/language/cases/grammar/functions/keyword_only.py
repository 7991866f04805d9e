# Parameters after the star must be named, with or without a default.
def f(a, *, sep, end="!"):
    return f"{a}{sep}{end}"


def g(*items, sep=","):
    return sep.join(items)


print(f("x", sep="-"), f("x", end="?", sep="+"))
print(g("a", "b"), g("a", "b", sep=" "))
for call in (lambda: f("x"), lambda: f("x", "y"), lambda: f("x", sep="", other=1)):
    try:
        call()
    except TypeError as error:
        print(error)
