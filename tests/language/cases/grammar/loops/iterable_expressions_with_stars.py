# The iterable of a for loop may be a bare tuple with stars.
tail = (4, 5)
for n in 1, 2, *range(3, 4), *tail:
    print(n, end=" ")
print()
for pair in *zip("ab", "cd"), ("e", "f"):
    print(pair)
