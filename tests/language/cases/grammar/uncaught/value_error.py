# The program ends with a built-in exception after printing.
print("before")
raise ValueError("not a good value")
