# The value of a cell is the value of its last expression.
x = 20
x + 1
