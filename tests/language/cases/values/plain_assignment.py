# The value of a plain assignment is what was assigned.
x = 3 * 7
