# And and or return the operand that decided, and skip the rest.
def loud(value):
    print("asked", value)
    return value


print(loud(0) or loud("") or loud("last"))
print(loud(1) and loud([]) and loud("never"))
print(0 or None, 1 and 2, not 0 and 3, None or 0 or ())
print(True or False and False, (True or False) and False)
