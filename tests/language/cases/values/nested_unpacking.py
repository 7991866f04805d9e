# The value of a nested unpacking is its right side.
(a, [b, *c]), d = (1, "xyz"), {"k": 2}
