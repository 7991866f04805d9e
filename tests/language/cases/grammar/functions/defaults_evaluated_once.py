# Defaults are evaluated when the function is defined, once, and are shared by calls.
def default():
    print("evaluated")
    return []


def collect(item, into=default(), *, also=default()):
    into.append(item)
    also.append(item * 2)
    return into, also


print("defined")
collect(1)
print(collect(2))
print(collect(3, []))
base = 10
def add(n, base=base):
    return n + base
base = 1000
print(add(1))
