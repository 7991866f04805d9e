# The value of an augmented assignment that works in place is the changed object.
numbers = [1]
alias = numbers
numbers += [2, 3]
# ---
alias is numbers
