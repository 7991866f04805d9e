# The else of a for loop runs when the loop was not broken, and only then.
def first_divisor(n):
    for d in range(2, n):
        if n % d == 0:
            print(n, "has", d)
            break
    else:
        print(n, "is prime")
        return None
    return d


print([first_divisor(n) for n in (9, 7, 2)])
for outer in range(3):
    for inner in range(3):
        if inner == outer == 1:
            break
    else:
        print("whole row", outer)
        continue
    print("stopped at", outer, inner)
    break
else:
    print("never printed")
for _ in []:
    pass
else:
    print("empty loop has an else too")
outer, inner
