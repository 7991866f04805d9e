# Generators run only as far as they are asked, and keep their state between cells.
def numbers():
    print("started")
    for n in range(5):
        print("making", n)
        received = yield n
        if received:
            print("received", received)


stream = numbers()
print(next(stream))
# ---
print(stream.send("hello"), next(stream))
# ---
def delegate():
    result = yield from stream
    return result


print(list(delegate()), list(stream))
# ---
def endless():
    n = 0
    while True:
        yield n
        n += 1


next(n for n in endless() if n * n > 50)
