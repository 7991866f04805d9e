# The else of a while loop runs when its condition becomes false, not after break.
def countdown(n, stop):
    while n:
        n -= 1
        if n == stop:
            break
    else:
        return "ran out"
    return f"stopped at {n}"


print(countdown(5, 2), countdown(5, 7), countdown(0, 0))
