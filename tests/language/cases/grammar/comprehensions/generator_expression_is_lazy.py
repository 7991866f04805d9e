# A generator expression evaluates its first iterable at once and the rest on demand.
def loud(n):
    print("computed", n)
    return n


squares = (loud(n) ** 2 for n in range(3))
print("nothing yet")
print(next(squares))
print(sum(squares), next(squares, "empty"))
try:
    late = (x for x in undefined_name)
except NameError as error:
    print("at once:", error)
late = (y for x in [1] for y in another_undefined_name)
try:
    next(late)
except NameError as error:
    print("on demand:", error)
