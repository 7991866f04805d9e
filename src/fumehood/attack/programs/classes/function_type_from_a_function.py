# aim: get the function type without importing types
# mechanism: type() of a lambda
# language: builtins
# reason: functions are made by def and lambda
# jail: process
# plain: loot

make = type(lambda: 0)
loot(make(compile("open", "name", "eval"), {})())
