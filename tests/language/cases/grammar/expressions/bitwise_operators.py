# Bitwise operators work on integers of any size and on negative ones.
big = 1 << 70
print(big | 1, (big | 1) & 0xFF, big >> 69)
print(~5, ~-1, -6 & 0b1111, -6 | 1, -6 ^ 3)
print(True & False, True | False, True ^ True, type(True | False).__name__)
print(1 << 3 + 1, 6 & 3 | 8 ^ 1)
