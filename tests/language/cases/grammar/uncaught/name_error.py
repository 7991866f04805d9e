# Using a name that was never bound.
lenght = 5
print("spelling matters")
print(length)
