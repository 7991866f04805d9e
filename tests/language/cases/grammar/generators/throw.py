# Throw raises at the yield, where the generator may handle it and go on.
def resilient():
    while True:
        try:
            received = yield "ready"
            print("received", received)
        except ValueError as error:
            print("handled", error)
            yield "recovered"
        finally:
            print("round over")


g = resilient()
print(next(g), g.send("x"))
print(g.throw(ValueError("bad")))
print(next(g))
try:
    g.throw(KeyError("out"))
except KeyError as error:
    print("escaped", error)
print(list(g))
