# Endless recursion is an ordinary RecursionError, and the program goes on.
def endless(n):
    return endless(n + 1)


def guarded():
    try:
        endless(0)
    except RecursionError as error:
        return type(error).__name__


class Loop:
    def __repr__(self):
        return repr(self)


print(guarded(), guarded())
try:
    repr(Loop())
except RecursionError:
    print("repr too")
"alive"
