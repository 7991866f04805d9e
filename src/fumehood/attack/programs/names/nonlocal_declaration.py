# aim: declare a forbidden name nonlocal
# mechanism: the names of a nonlocal statement are plain strings in the tree
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (rebinding a local variable of that name has no effect outside a guarded namespace)

def outer(builtins=0):
    __builtins__ = builtins

    def inner():
        nonlocal __builtins__
        __builtins__ = 1

    return inner
