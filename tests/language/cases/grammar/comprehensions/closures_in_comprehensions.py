# Functions made in a comprehension see the last value of its variable.
late = [lambda: i for i in range(3)]
print([f() for f in late])
bound = [lambda i=i: i for i in range(3)]
print([f() for f in bound])
made = {n: (lambda: lambda: n)() for n in range(2)}
print([made[k]() for k in made])
gen = (lambda: i for i in range(3))
print([f() for f in gen])
