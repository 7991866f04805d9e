# Names inside a lambda are looked up when it runs, defaults when it is made.
n = 1
late = lambda: n
early = lambda n=n: n
n = 2
print(late(), early(), early(5))
fact = lambda k: 1 if k < 2 else k * fact(k - 1)
print(fact(10))
pick = lambda *a, **k: (a[-1:], sorted(k))
print(pick(1, 2, x=1, b=2), (lambda a, *, b: a - b)(5, b=3))
