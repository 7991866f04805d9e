# The subject is evaluated once and may be a bare tuple, a star or a walrus.
def subject():
    print("subject asked")
    return 2


match subject():
    case 1: print("one")
    case 3: print("three")
    case 2: print("two")
match 1, *range(2, 4):
    case a, b, c: print(a, b, c)
match *"xy",:
    case [p, q]: print(p, q)
match (n := 10) + 1:
    case 11: print("eleven", n)
match lambda: 0:
    case f if callable(f): print("callable")
