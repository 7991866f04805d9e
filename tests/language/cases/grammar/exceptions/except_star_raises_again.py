# Errors raised inside except* clauses are grouped with what was not handled.
try:
    try:
        raise ExceptionGroup("eg", [ValueError(1), TypeError(2), KeyError(3)])
    except* ValueError:
        raise
    except* TypeError as group:
        raise RuntimeError("new") from group
except BaseExceptionGroup as result:
    def show(error, depth=0):
        print("  " * depth + type(error).__name__, error.args[0])
        for inner in getattr(error, "exceptions", ()):
            show(inner, depth + 1)
    show(result)
