# The object that is raised again is the same one, and its handler name is gone afterwards.
kept = None
try:
    try:
        raise ValueError("one")
    except ValueError as error:
        kept = error
        raise error
except ValueError as error:
    print(error is kept)
try:
    error
except NameError as missing:
    print(missing)
e = "before"
try:
    raise KeyError
except KeyError as e:
    pass
try:
    e
except NameError:
    print("e is gone", kept.args)
