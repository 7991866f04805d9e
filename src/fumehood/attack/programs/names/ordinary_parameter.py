# aim: give an ordinary parameter a forbidden name
# mechanism: the name of an arg node
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (a local variable of that name has no effect outside a guarded namespace)

def function(__import__=None):
    return 0
