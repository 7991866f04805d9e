# The value of a for loop is that of the last turn.
# value: 30
for n in (1, 2, 3):
    n * 10
