# A failed assertion carries its message, which is evaluated only on failure.
def message():
    print("message built")
    return "too small"


def check(n):
    assert n > 0, message()
    assert n != 13
    return n


print(check(5))
for bad in (-1, 13):
    try:
        check(bad)
    except AssertionError as error:
        print(repr(error))
