# A return inside try is not caught by except Exception, and finally still runs.
def f(n):
    try:
        if n:
            return "returned"
        raise ValueError("raised")
    except Exception as error:
        return f"caught {error}"
    finally:
        print("finally", n)


def g():
    try:
        return "from try"
    except BaseException:
        return "caught by mistake"
    else:
        return "else"


def h():
    for n in range(3):
        try:
            return n
        finally:
            continue_later = True


def overriding():
    try:
        return "first"
    finally:
        print("on the way out")


print(f(1), f(0), g(), h(), overriding())
