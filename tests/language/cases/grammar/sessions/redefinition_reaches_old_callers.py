# A function of an earlier cell calls the newest definition.
def rate():
    return 1


def total(n):
    return n * rate()


print(total(5))
# ---
def rate():
    return 100


print(total(5))
# ---
del rate
total(5)
