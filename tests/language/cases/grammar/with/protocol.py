# A with statement enters, runs and exits, and binds what __enter__ returned.
class Managed:
    def __enter__(self):
        print("enter")
        return "resource"

    def __exit__(self, kind, error, traceback):
        print("exit", kind and kind.__name__, error)


with Managed() as resource:
    print("body", resource)
try:
    with Managed():
        raise ValueError("in body")
except ValueError as error:
    print("came out:", error)
with Managed() as one, Managed() as two:
    print(one, two)
