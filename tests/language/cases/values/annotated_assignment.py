# The value of an annotated assignment is what was assigned.
count: int = 41 + 1
