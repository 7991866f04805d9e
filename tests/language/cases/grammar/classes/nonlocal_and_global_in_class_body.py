# A class body may declare names nonlocal or global and bind them outside.
counter = 0


def outer():
    seen = []
    total = 0

    class Body:
        nonlocal total
        global counter
        for n in range(3):
            total += n
            seen.append(n)
        counter = total * 10

    return total, seen, hasattr(Body, "total"), hasattr(Body, "counter")


print(outer(), counter)
