# Give a type alias a forbidden name.
# mechanism: the name of a type statement
# stopped by: check
# reason: forbidden names are refused wherever a name can be bound
# python: 3.12+
# control: none (a type alias of that name has no effect outside a guarded namespace)

type __builtins__ = int
