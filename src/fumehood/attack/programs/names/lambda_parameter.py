# aim: give the parameter of a lambda a forbidden name
# mechanism: the arguments of a lambda
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (a local variable of that name has no effect outside a guarded namespace)

(lambda __builtins__, /: 0)(1)
