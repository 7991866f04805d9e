# A function without return, or with a bare one, gives None.
def nothing():
    value = 42


def bare(flag):
    if flag:
        return
    return "end"


def many():
    return 1, 2


def unreachable():
    return "first"
    return "second"


print(nothing(), bare(True), bare(False), many(), unreachable())
print([print("inner")])
