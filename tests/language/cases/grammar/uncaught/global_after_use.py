# A name may not be used before its global statement.
def f():
    x = 1
    global x
