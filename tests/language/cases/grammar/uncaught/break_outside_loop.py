# A break that belongs to no loop.
if True:
    break
