# The value of a starred unpacking is its right side, as it was.
first, *rest = [1, 2, 3, 4]
