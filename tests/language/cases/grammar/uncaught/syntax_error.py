# A cell that is no Python.
print("never printed")
x = = 1
