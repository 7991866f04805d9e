# Except* wraps a plain exception in a group, and else runs when nothing was raised.
try:
    raise KeyError("single")
except* KeyError as group:
    print(type(group).__name__, repr(group.message), group.exceptions)
try:
    print("no error")
except* ValueError:
    print("never")
else:
    print("else")
try:
    try:
        raise ValueError("goes through")
    except* TypeError:
        print("never")
except ValueError as error:
    print(repr(error))
