# An exception whose class is defined inside a function.
def make():
    class Hidden(RuntimeError):
        pass
    return Hidden


raise make()("from inside")
