# Floats and imaginary numbers in every spelling.
print(1.5, .5, 5., 1e3, 1E-3, 1_0.0_1, 2.5e+2, 1e400, -1e400)
print(3j, 1.5J, .5j, 1e2j, 2 + 3j, (1 + 2j) * (1 - 2j), abs(3 + 4j))
print(0.1 + 0.2, 1e16 + 1, 5e-324 / 2, 1 / 3)
