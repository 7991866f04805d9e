# Default arguments are evaluated when the function is defined, and only once.
base = 10


def show(text):
    print("evaluating", text)
    return text


def f(a, b=show("b"), *, c=show("c"), d=base):
    return a, b, c, d


base = 99
print(f(1), f(1, c="other"), f(1, d=0))


def collect(item, into=[]):
    into.append(item)
    return into


collect(1)
collect(2)
print(collect(3), collect(4, []))
functions = [lambda x, n=n: x * n for n in range(3)]
late = [lambda x: x * n for n in range(3)]
print([g(10) for g in functions], [g(10) for g in late])
try:

    def never(x=1 / 0):
        pass

except ZeroDivisionError as error:
    print(error)
f("end")
