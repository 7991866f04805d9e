# The value of a while loop is that of the last turn.
# value: 8
n = 1
while n < 8:
    n *= 2
