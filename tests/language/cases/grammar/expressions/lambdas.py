# Lambdas take every kind of parameter and close over names.
add = lambda a, /, b=2, *args, c, d=4, **kw: (a, b, args, c, d, kw)
print(add(1, c=3))
print(add(1, 5, 6, 7, c=8, e=9))
print((lambda: None)(), (lambda *a: a)(1, 2), (lambda x: lambda y: x - y)(10)(3))
print(sorted(["bb", "a", "ccc"], key=lambda word: -len(word)), (lambda: 0).__name__)
