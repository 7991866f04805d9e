# aim: bind a forbidden name by the rest of a mapping pattern
# mechanism: MatchMapping.rest binds a name without a Name node
# language: check
# reason: forbidden names are refused wherever a name can be bound
# jail: process
# plain: none (binding the name to a dictionary has no effect outside a guarded namespace)

match {"a": 1}:
    case {**__builtins__}:
        pass
