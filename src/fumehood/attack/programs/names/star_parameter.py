# aim: give the star parameter a forbidden name
# mechanism: the vararg field
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (a local variable of that name has no effect outside a guarded namespace)

def function(*__builtins__):
    return 0
