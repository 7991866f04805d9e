# A bare raise ends the program with the original exception.
try:
    float("x1")
except ValueError:
    print("seen")
    raise
