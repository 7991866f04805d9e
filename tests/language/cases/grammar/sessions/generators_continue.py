# A generator made in one cell is continued in the next.
def numbers():
    n = 0
    while True:
        got = yield n
        n = got if got is not None else n + 1


g = numbers()
print(next(g), next(g))
# ---
print(next(g), g.send(10))
# ---
next(g)
