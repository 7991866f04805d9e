# The value of a loop inside a loop is that of the last turn of both.
# value: (2, 1)
for i in range(3):
    for j in range(2):
        pair = (i, j)
