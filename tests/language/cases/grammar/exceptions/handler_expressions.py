# The types of a handler are evaluated when an exception arrives, and must be exception classes.
def kinds():
    print("kinds asked")
    return (KeyError, (ValueError))


try:
    pass
except kinds():
    pass
try:
    raise ValueError("v")
except kinds() as error:
    print("caught", error)
try:
    try:
        raise ValueError("v")
    except "not a class":
        pass
except TypeError as error:
    print(error, "|", repr(error.__context__))
