# A starred target takes what is left, which may be nothing, and is always a list.
first, *rest = "abcd"
print(first, rest)
*start, last = (1,)
print(start, last)
a, *b, c = range(5)
print(a, b, c)
[d, [e, *f]], *g = [(1, (2, 3, 4)), 5]
print(d, e, f, g)
*all_of_it, = "xy"
print(all_of_it)
