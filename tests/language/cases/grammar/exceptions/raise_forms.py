# Classes, instances and expressions can be raised, other things cannot.
def attempt(make):
    try:
        raise make()
    except BaseException as error:
        print(type(error).__name__, error.args)


attempt(lambda: ValueError)
attempt(lambda: ValueError("a", 2))
attempt(lambda: 5)
attempt(lambda: "text")
attempt(lambda: None)
attempt(lambda: [KeyError][0]("k"))
attempt(lambda: type("Made", (Exception,), {})("m"))
