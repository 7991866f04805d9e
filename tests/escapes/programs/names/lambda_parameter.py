# Give the parameter of a lambda a forbidden name.
# mechanism: the arguments of a lambda
# stopped by: check
# reason: forbidden names are refused wherever a name can be bound
# control: none (a local variable of that name has no effect outside a guarded namespace)

(lambda __builtins__, /: 0)(1)
