# An exception in else or in a handler is not caught by the same try.
def f(where):
    try:
        if where == "handler":
            raise ValueError("first")
    except ValueError:
        raise KeyError("from handler")
    else:
        raise KeyError("from else")
    finally:
        print("finally after", where)


for where in ("handler", "else"):
    try:
        f(where)
    except KeyError as error:
        print(error, repr(error.__context__))
