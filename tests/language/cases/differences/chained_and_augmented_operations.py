# Comparisons chain, boolean operators give their operand, and evaluation goes from left to right.
x0 = 5


def say(value):
    print(value, end=" ")
    return value


print(1 < say(2) < say(3), say(5) < say(1) < say(9))
print(say(0) or say("b"), say("") and say("c"), not say([]), say(1) if say(True) else say(2))
items = {say("k1"): say("v1"), say("k2"): say("v2")}
say(1) + say(2) * say(3)
print()
print(1 == 1.0 == True, "a" in "abc" in ["abc"], 3 > 2 != 1, None is None is not x0)
matrix = [[0] * 2 for _ in range(2)]
i = 0
i, matrix[i][0] = 1, "row"
matrix[i][i] += 7
print(matrix, ~5, -(2**2), 2**-1, 7 // -2, 7 % -3, 1 << 4 | 3 & 2 ^ 1, not 1 == 2)
x = y = []
x += [1]
x, y
