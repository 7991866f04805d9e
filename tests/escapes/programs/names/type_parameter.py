# Give a type parameter a forbidden name.
# mechanism: the name of a TypeVar node is a plain string in the tree
# stopped by: check
# reason: forbidden names are refused wherever a name can be bound
# python: 3.12+
# control: none (a type variable of that name has no effect outside a guarded namespace)

def function[__builtins__](x):
    return x
