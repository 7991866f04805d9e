# A program may keep the old print and define its own.
original = print


def print(*args, **kwargs):
    original("[mine]", *args, **kwargs)


print("hello", "world", sep="-")
del print
print("plain", "again", sep="+", end="!\n")
print("a", "b", sep="")
print()
print("no newline", end="")
print(" end", end="\n\n")
