# aim: put a forbidden chain together from harmless steps
# mechanism: functools.reduce over getattr and names
# language: builtins
# reason: a computed name obeys the same table as one that is written
# jail: process
# plain: loot
import functools, json
loot(functools.reduce(getattr, ["__" + "globals" + "__"], json.dumps))
