# A last call that returns None gives None, whatever was assigned before.
x = 5
print(x)
