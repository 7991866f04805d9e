# Lists and tuples are changed, sliced, compared and searched.
a = list("abc")
a.append("d")
a.extend(["e", "f"])
a.insert(0, "_")
print(a, a.index("c"), a.count("a"), a.pop(), a.pop(0), a[1:3], a[::-1], a[-2:])
a[1:3] = ["X", "Y", "Z"]
del a[0], a[-1]
print(a, a * 2, [1, 2] < [1, 3], a.copy() is a, [0] * 3)
a.remove("Y")
a.reverse()
a[::2] = ["p", "q"]
print(a, tuple(a), (1,) + (2, 3), (1, 2, 1).count(1), (5, 6).index(6), len(()), tuple("ab"))
for bad in (lambda: a[10], lambda: a.remove("?"), lambda: (1, 2).index(3), lambda: [].pop(), lambda: "a" + 1):
    try:
        bad()
    except Exception as error:
        print(type(error).__name__, error)
a.clear()
a
