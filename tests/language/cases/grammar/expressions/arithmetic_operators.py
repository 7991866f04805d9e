# Division, floor, remainder and power follow the signs of their operands.
for a, b in [(7, 3), (-7, 3), (7, -3), (-7, -3)]:
    print(a / b, a // b, a % b, divmod(a, b))
print(2**10, 2**-1, (-8) ** 2, -8**2, 2**3**2)
print(7.5 // 2, -7.5 % 2, 1e308 * 10, 3 - -3, 10 ** 20 + 1)
