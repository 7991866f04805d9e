# aim: give a type alias a forbidden name
# mechanism: the name of a type statement
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (a type alias of that name has no effect outside a guarded namespace)
# python: 3.12+

type __builtins__ = int
