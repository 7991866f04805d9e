# Give a parameter specification a forbidden name.
# mechanism: the name of a ParamSpec node is a plain string in the tree
# stopped by: check
# reason: forbidden names are refused wherever a name can be bound
# python: 3.12+
# control: none (a type variable of that name has no effect outside a guarded namespace)

type Alias[**__builtins__] = int
