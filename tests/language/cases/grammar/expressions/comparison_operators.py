# Each comparison operator, including identity and membership.
a = [1, 2]
b = [1, 2]
print(a == b, a != b, a is b, a is not b, a is a)
print(1 in a, 3 in a, 3 not in a, "ell" in "hello")
print(1 < 2, 2 <= 2, 3 > 4, 4 >= 5)
print((1, "z") < (2, "a"), [1] < [1, 0], {1} < {1, 2}, {1} <= {2}, "a" < "B")
print(float("nan") == float("nan"), None == 0, 1 == True)
