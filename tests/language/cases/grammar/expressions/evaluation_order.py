# Operands, arguments and displays are evaluated from left to right.
def t(label):
    print(label, end=" ")
    return label


def f(*args, **kwargs):
    return len(args) + len(kwargs)


t(1) + t(2) * t(3)
print()
f(t(1), *[t(2)], t(3), k=t(4), **{"m": t(5)})
print()
{t(1): t(2), t(3): t(4)}
print()
[t(1), (t(2), {t(3)})][0] if t(0) == 0 else [t(9), t(8)]
print()
