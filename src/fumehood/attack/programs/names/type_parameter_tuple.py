# aim: give a type parameter tuple a forbidden name
# mechanism: the name of a TypeVarTuple node is a plain string in the tree
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (a type variable of that name has no effect outside a guarded namespace)
# python: 3.12+

class Box[*__builtins__]:
    pass
