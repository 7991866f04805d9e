# The value is found in the else that was taken.
# value: -6
n = -3
if n > 0:
    n
elif n == 0:
    0
else:
    doubled = n * 2
    doubled
