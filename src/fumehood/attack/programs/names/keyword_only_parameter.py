# aim: give a keyword-only parameter a forbidden name
# mechanism: kwonlyargs is another field than args
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (a local variable of that name has no effect outside a guarded namespace)

def function(*, __builtins__=0):
    return 0
