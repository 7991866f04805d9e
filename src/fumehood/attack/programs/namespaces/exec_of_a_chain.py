# aim: execute a forbidden chain from text
# mechanism: exec
# language: builtins
# reason: exec goes through the same check
# jail: process
# plain: loot

exec("import json\nloot(json.dumps.__glo" + "bals__)")
