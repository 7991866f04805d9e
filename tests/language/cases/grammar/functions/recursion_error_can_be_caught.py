# Endless recursion raises RecursionError, and the program goes on.
def endless(n):
    return endless(n + 1)


try:
    endless(0)
except RecursionError as error:
    print("caught", type(error).__name__, isinstance(error, RuntimeError))


def still_works(n):
    return n if n == 0 else still_works(n - 1)


print(still_works(300))
