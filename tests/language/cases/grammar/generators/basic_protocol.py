# A generator runs until its next yield and ends with StopIteration carrying its return value.
def numbers():
    print("started")
    yield 1
    print("resumed")
    yield 2
    return "done"


g = numbers()
print("made")
print(next(g))
print(next(g))
try:
    next(g)
except StopIteration as stop:
    print("value:", stop.value)
print(next(g, "exhausted"), list(numbers()))
