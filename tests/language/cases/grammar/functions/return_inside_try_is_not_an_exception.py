# Return leaves through except and finally without being caught.
trace = []


def f(kind):
    for n in range(3):
        try:
            if kind == "return" and n == 1:
                return f"returned at {n}"
            if kind == "raise" and n == 1:
                raise KeyError(n)
        except Exception as error:
            trace.append(repr(error))
        except BaseException:
            trace.append("control flow was caught")
        finally:
            trace.append(n)
    return "end"


print(f("return"), f("raise"), f("none"))
print(trace)
