# The value of an assignment of None is None.
y = 5
x = None
