# A list as the key of a dict.
lookup = {(1, 2): "tuple"}
print(lookup[1, 2])
lookup[[1, 2]]
