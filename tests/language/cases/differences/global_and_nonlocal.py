# The statements global and nonlocal rebind names of the outer scopes.
total = 0
history = []


def add(n):
    global total, created
    total += n
    created = "by add"


def make_counter(start=0):
    count = start

    def increment(step=1):
        nonlocal count
        count += step
        return count

    def reset():
        nonlocal count
        count = start

    return increment, reset


add(5)
add(7)
increment, reset = make_counter(10)
other, _ = make_counter()
print(total, created, increment(), increment(5), other())
reset()
print(increment())


def outer():
    x = "outer"

    def middle():
        def inner():
            nonlocal x
            x = "changed by inner"

        inner()

    middle()
    return x


def remove():
    global created
    del created


print(outer())
remove()
"created" in globals()
# ---
def bump():
    global total
    total *= 2


bump()
total
