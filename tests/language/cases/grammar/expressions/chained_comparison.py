# A chained comparison evaluates each operand once and stops at the first failure.
def loud(value):
    print("asked", value)
    return value


print(loud(1) < loud(2) < loud(3))
print(loud(5) < loud(4) < loud(99))
one = 1.0
print(1 < 3 > 2 != 4 == 4, 1 == one is not None, 3 in [3] == True)
