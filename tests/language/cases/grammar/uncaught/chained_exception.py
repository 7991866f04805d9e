# The outermost exception of a chain is the one that ends the program.
try:
    int("abc")
except ValueError as error:
    raise RuntimeError("could not convert") from error
