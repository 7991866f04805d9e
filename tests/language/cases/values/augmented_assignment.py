# The value of an augmented assignment is the variable afterwards.
total = 10
total += 5
