# Execute a forbidden chain from text.
# mechanism: exec
# stopped by: builtins
# reason: exec goes through the same check

exec("import json\nloot(json.dumps.__glo" + "bals__)")
