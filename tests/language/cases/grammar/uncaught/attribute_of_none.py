# Calling a method of None.
result = [3, 1].sort()
result.append(5)
