# The value is found in the case that matched.
# value: 'point 3'
match (0, 3):
    case (0, 0):
        "origin"
    case (0, y):
        f"point {y}"
    case _:
        "other"
