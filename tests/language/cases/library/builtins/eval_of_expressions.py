# The eval function computes expressions with the variables around it or with given ones.
x = 10
print(eval("x * 2 + len('abc')"), eval("a + b", {"a": 1, "b": 2}), eval("y", {}, {"y": 5}))


def local_sum(a, b):
    return eval("a + b")


print(local_sum(3, 4), [eval(f"{n} ** 2") for n in range(4)], eval("lambda n: n + x")(1))
for bad in ("1 +", "undefined_thing", "1 / 0", "x = 5"):
    try:
        eval(bad)
    except Exception as error:
        print(bad, type(error).__name__)
eval("[i for i in range(5) if i % 2]")
