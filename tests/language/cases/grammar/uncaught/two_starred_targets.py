# Only one starred target is allowed.
*a, *b = [1, 2, 3]
