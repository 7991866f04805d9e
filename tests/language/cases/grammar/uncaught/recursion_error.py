# Recursion without an end.
def dig(n):
    return dig(n + 1)


print("digging")
dig(0)
