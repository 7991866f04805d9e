# A walrus in a comprehension binds in the containing function, also when declared nonlocal or global.
def f():
    print([n := i for i in range(3)], n)

    def g():
        nonlocal n
        [n := i * 10 for i in range(3)]

    g()
    return n


def h():
    global found
    return any((found := x) > 1 for x in (1, 2, 3))


print(f(), h(), found)
print((lambda: (y := 1) + y)())
print({(k := i): (v := i * 2) for i in range(2)}, k, v)
