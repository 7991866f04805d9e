# The value of a swap is the tuple on its right side.
a, b = 1, 2
a, b = b, a
