# Raise from sets the cause, from None hides the context.
def convert(mode):
    try:
        int("x")
    except ValueError as original:
        if mode == "from error":
            raise RuntimeError("converted") from original
        if mode == "from None":
            raise RuntimeError("hidden") from None
        raise RuntimeError("implicit")


for mode in ("from error", "from None", "plain"):
    try:
        convert(mode)
    except RuntimeError as error:
        cause, context = type(error.__cause__).__name__, type(error.__context__).__name__
        print(error, cause, context, error.__suppress_context__)
try:
    raise ValueError from KeyError
except ValueError as error:
    print(repr(error.__cause__))
