# Except* splits a group by type and each clause sees its part.
def run(*errors):
    try:
        raise ExceptionGroup("several", list(errors))
    except* ValueError as group:
        print("values:", [str(e) for e in group.exceptions])
    except* (KeyError, TypeError) as group:
        print("lookups:", [repr(e) for e in group.exceptions])
    else:
        print("never")
    finally:
        print("finally")


run(ValueError("a"), TypeError("b"), ValueError("c"))
try:
    run(ValueError("a"), OSError("left"))
except ExceptionGroup as rest:
    print("left over:", rest.exceptions)
