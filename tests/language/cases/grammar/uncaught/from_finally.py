# Finally still runs when the program ends with an exception.
try:
    raise OSError(2, "No such thing")
finally:
    print("finally")
