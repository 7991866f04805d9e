# The value of an unpacking assignment is its right side.
a, b = 1, "two"
