# A local variable read before its assignment is an error, whatever a global of that name holds.
x = "global"


def f():
    print(x)
    x = "local"


def g(flag):
    if flag:
        y = 1
    return y


def h():
    z = 1
    del z
    return z


for call in (f, lambda: g(False), h):
    try:
        call()
    except UnboundLocalError as error:
        print(error)
try:
    raise KeyError
except KeyError as e:
    pass
g(True)
# ---
e
