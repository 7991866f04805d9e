# Errors of __enter__ and __exit__, and objects that are no managers.
class FailsOnExit:
    def __enter__(self):
        return self

    def __exit__(self, *details):
        raise RuntimeError("exit failed")


class FailsOnEnter:
    def __enter__(self):
        raise LookupError("enter failed")

    def __exit__(self, *details):
        print("never: it was not entered")


def attempt(make):
    try:
        with make():
            raise ValueError("body")
    except Exception as error:
        print(type(error).__name__, error, "|", repr(error.__context__))


attempt(FailsOnExit)
attempt(FailsOnEnter)
attempt(lambda: 5)
