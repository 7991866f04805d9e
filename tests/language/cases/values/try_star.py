# The value is found in the handler of an exception group.
# value: ['a', 'b']
try:
    raise ExceptionGroup("two", [ValueError("a"), ValueError("b")])
except* ValueError as group:
    sorted(str(error) for error in group.exceptions)
