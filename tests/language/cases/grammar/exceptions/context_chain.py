# Exceptions raised while handling others form a chain.
try:
    try:
        try:
            raise ValueError(1)
        except ValueError:
            raise KeyError(2)
    except KeyError:
        raise IndexError(3)
except IndexError as error:
    while error is not None:
        print(repr(error))
        error = error.__context__
