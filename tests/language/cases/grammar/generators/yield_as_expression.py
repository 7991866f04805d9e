# Yield is an expression wherever parentheses allow it.
def g():
    total = (yield 1) + (yield 2)
    print("total", total)
    print([(yield "in list"), (yield "again")])
    x = yield
    print("x", x)
    return (yield)


c = g()
print(next(c), c.send(10), c.send(5))
print(c.send("a"), c.send("b"), c.send("c"))
try:
    c.send("last")
except StopIteration as stop:
    print(stop.value)
