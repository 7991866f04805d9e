# Assigning anywhere in a function makes the name local everywhere in it.
x = 1


def reads_too_early():
    try:
        print(x)
    except UnboundLocalError as error:
        print(error)
    x = 2
    return x


def closure_too_early():
    def inner():
        return later
    try:
        inner()
    except NameError as error:
        print(type(error).__name__, error)
    later = "now"
    return inner()


print(reads_too_early(), closure_too_early(), x)
