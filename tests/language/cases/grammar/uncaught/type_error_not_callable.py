# Calling something that is no function.
number = 5
number()
