# Notes are added to an exception in order and travel with it.
def load(name):
    try:
        raise OSError(f"cannot read {name}")
    except OSError as error:
        error.add_note("is the disk full?")
        error.add_note(f"while loading {name!r}")
        raise


try:
    load("data")
except OSError as error:
    print(error, error.__notes__)
try:
    ValueError().add_note(5)
except TypeError as error:
    print(type(error).__name__)
