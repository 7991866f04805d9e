# aim: give a type parameter a forbidden name
# mechanism: the name of a TypeVar node is a plain string in the tree
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (a type variable of that name has no effect outside a guarded namespace)
# python: 3.12+

def function[__builtins__](x):
    return x
