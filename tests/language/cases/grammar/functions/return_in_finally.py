# A return in finally replaces the value or the exception on its way.
def replaces():
    try:
        return "try"
    finally:
        return "finally"


def swallows():
    try:
        raise ValueError("lost")
    finally:
        return "swallowed"


def keeps():
    value = "before"
    try:
        return value
    finally:
        value = "after"


print(replaces(), swallows(), keeps())
