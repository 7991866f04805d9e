# The inner manager sees the exception first and may replace it.
class Layer:
    def __init__(self, name, action=None):
        self.name, self.action = name, action

    def __enter__(self):
        return self

    def __exit__(self, kind, error, traceback):
        print(self.name, "sees", repr(error))
        if self.action == "suppress":
            return True
        if self.action == "replace":
            raise KeyError("replaced") from error


with Layer("outer"):
    with Layer("middle", "suppress"), Layer("inner", "replace"):
        raise ValueError("original")
    print("goes on after the middle")
