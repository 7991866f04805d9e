# A branch that ends in a definition gives None.
# value: None
if True:
    x = 1

    def f():
        return x
