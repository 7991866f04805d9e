# An inner try lets through what it does not name.
try:
    try:
        try:
            raise IndexError("deep")
        except KeyError:
            print("never")
        finally:
            print("innermost finally")
    except LookupError as error:
        print("middle caught", error)
        raise ValueError("second") from error
    else:
        print("never")
except ValueError as error:
    print("outer caught", error, "because of", repr(error.__cause__))
