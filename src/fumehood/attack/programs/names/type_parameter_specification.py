# aim: give a parameter specification a forbidden name
# mechanism: the name of a ParamSpec node is a plain string in the tree
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (a type variable of that name has no effect outside a guarded namespace)
# python: 3.12+

type Alias[**__builtins__] = int
