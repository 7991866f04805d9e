# A generator held in a variable is not consumed by being looked at.
numbers = (n * n for n in range(4))
first = next(numbers)
# ---
same = numbers
# ---
list(same)
