# A bare raise re-raises the exception being handled, and raise from keeps its cause.
class ConfigError(Exception):
    pass


def load(text):
    try:
        return int(text)
    except ValueError:
        print("cleaning up")
        raise


def wrap(text):
    try:
        return load(text)
    except ValueError as error:
        raise ConfigError(f"bad config {text!r}") from error


try:
    load("x")
except ValueError as error:
    print("again", error)
try:
    wrap("y")
except ConfigError as error:
    print(error, "|", error.__cause__, "|", type(error.__cause__).__name__)
try:
    try:
        {}["a"]
    except KeyError:
        raise RuntimeError("second") from None
except RuntimeError as error:
    print(error.__cause__, type(error.__context__).__name__, error.__suppress_context__)
try:
    raise ValueError
except ValueError as error:
    print(repr(error))
# ---
raise
# ---
wrap("z")
# ---
try:
    load("q")
except ValueError as error:
    error.add_note("while testing")
    raise
