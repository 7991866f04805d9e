# Get the function type without importing types.
# mechanism: type() of a lambda
# stopped by: builtins
# reason: functions are made by def and lambda

make = type(lambda: 0)
loot(make(compile("open", "name", "eval"), {})())
