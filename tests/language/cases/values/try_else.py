# The value is found in the else of a try.
# value: 'else 5'
try:
    n = int("5")
except ValueError:
    n = 0
else:
    f"else {n}"
