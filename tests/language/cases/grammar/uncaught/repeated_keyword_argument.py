# A keyword may be passed once.
print(dict(a=1, a=2))
