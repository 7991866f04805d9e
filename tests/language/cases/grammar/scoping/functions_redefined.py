# The latest definition of a name counts, also for callers defined earlier.
def greet():
    return "first"


def caller():
    return greet()


saved = greet
print(caller())


def greet():
    return "second"


print(caller(), saved(), greet is saved)
if True:
    def greet(): return "third"
else:
    def greet(): return "never"
print(caller())
