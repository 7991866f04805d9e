# A block without indentation.
if True:
print("never")
